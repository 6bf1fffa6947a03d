# shellcheck shell=sh
summary() { inlay study --summary --json --quiet "$@"; }
rows() { printf '%s\n' "$@" | summary -; }
summary docs/examples/study-rows.csv --by machine,method
summary docs/examples/study-rows.csv --by machine,method --against processors --value speedup --best most
rows elapsed,method 1,a 2,a
rows elapsed,method,error 1,a, ,b,bad ,c, 0,d,
printf '%s\n' k,n,elapsed,method a,1,1,x a,1,,y ,2,3,x a,,,x | summary - --by k --against n
