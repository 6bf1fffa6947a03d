# shellcheck shell=sh
processes() { inlay processes --json --quiet "$@"; }
processes 2x1000,2x500 --kernel lu:400 --block 16,32 --latency 10us --per-byte 1ns --best 2
processes bus:2,capacity=1GB/s,arithmetic_time=1ns --kernel cholesky:100 --max 1 --best 0
processes 1 --kernel matmul:1
processes 2x1000 --kernel lu:100000 --block 1
