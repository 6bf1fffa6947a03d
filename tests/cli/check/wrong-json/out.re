"holds": false
"findings": \[
^    ".*work
