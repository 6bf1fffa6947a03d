^inlay [0-9]+\.[0-9]+\.[0-9]+$
^commands: map sweep pareto compare evaluate check simulate explain info delay convert generate reduce profile synth run compress select processes decompose partition maploop measure help$
^machines: bus multibus omega omega-pe crossbar star ring mesh torus hypercube tree fattree dragonfly ringofrings$
^formats of machines: .*simgrid.*$
^  dot +read, write  
^  wfformat +read, write  
^  stg +read, write  
^  json +read, write  
^optional parts:$
^  hwloc +(in  |not in  )
^  scotch +(in  |not in  )
^  simgrid +(in  |not in  )
