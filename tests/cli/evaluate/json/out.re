"command": "evaluate"
"method": "placement"
"time_frame": 464
"processor": 0
"work": 355
"traffic": 21
"estimate": 217\.13309
