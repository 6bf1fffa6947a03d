^inlay [0-9]+\.[0-9]+\.[0-9]+$
^commands: map sweep pareto speedup compare advise report study evaluate check simulate explain info delay convert generate reduce profile capture apply synth run compress select processes decompose balance partition maploop measure help$
^machines:$
^  bus         K           [a-zA-Z]
^  multibus    K           [a-zA-Z]
^  omega       K           [a-zA-Z]
^  omega-pe    K           [a-zA-Z]
^  crossbar    K           [a-zA-Z]
^  star        K           [a-zA-Z]
^  ring        K           [a-zA-Z]
^  mesh        AxB         [a-zA-Z]
^  torus       AxB         [a-zA-Z]
^  hypercube   K           [a-zA-Z]
^  tree        AxB         [a-zA-Z]
^  fattree     AxB         [a-zA-Z]
^  dragonfly   GxCxRxH     [a-zA-Z]
^  ringofrings AxB         [a-zA-Z]
^formats of machines: .*simgrid.*$
^  dot +read, write  
^  wfformat +read, write  
^  stg +read, write  
^  json +read, write  
^optional parts:$
^  hwloc +(in  |not in  )
^  scotch +(in  |not in  )
^  metis +(in  |not in  )
^  openmp +(in  |not in  )
^  simgrid +(in  |not in  )
