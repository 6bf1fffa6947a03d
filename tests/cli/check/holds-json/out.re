"command": "check"
"mapping": "mapping.json"
"holds": true
"checked": [0-9]+
"findings": \[\]
