^nul\.dot:2: a NUL byte; expected
^two\.dot:2: a second graph begins here; expected
^crlf\.dot:3: time .x. of module .b. is not a time; expected
