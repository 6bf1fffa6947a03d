holds
^600$
