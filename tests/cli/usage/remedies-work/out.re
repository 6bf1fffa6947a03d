^150 questions: .* with a proposal; 0 failed$
^50 questions: .* with a proposal; 0 failed$
