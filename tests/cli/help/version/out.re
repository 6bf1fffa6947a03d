^inlay [0-9]+\.[0-9]+\.[0-9]+$
^commands: map evaluate check info convert help$
^machines: bus$
^  dot +read, write  
^  wfformat +read, write  
^  stg +read, write  
^  json +read, write  
