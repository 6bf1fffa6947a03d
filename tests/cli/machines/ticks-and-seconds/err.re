^omega:16,switch=2,packets=1,cycle=1us: cycle is given (in|per) us but application 'cholesky4' is in ticks?; expected the length of a tick \(--tick 1us\)$
^omega-pe:16,switch=2,packets=1,cycle=1us: cycle is given (in|per) us but application 'cholesky4' is in ticks?; expected the length of a tick \(--tick 1us\)$
^multibus:16,memories=8,buses=4,model=paper,capacity=1msg/tick: capacity is given per tick but application 'variant-calling-6x4' is in s; expected the length of a tick \(--tick 1us\)$
^omega:16,switch=2,packets=1,transit=1tick,cycle=1us: transit is given (in|per) ticks? but application 'variant-calling-6x4' is in s; expected the length of a tick \(--tick 1us\)$
