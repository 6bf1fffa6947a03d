^inlay [0-9]+\.[0-9]+\.[0-9]+$
^commands: map sweep pareto compare evaluate check simulate explain info delay convert generate help$
^machines: bus multibus omega omega-pe$
^  dot +read, write  
^  wfformat +read, write  
^  stg +read, write  
^  json +read, write  
