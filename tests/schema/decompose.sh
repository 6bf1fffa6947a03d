# shellcheck shell=sh
decompose() { inlay decompose --json -q "$@"; }
decompose 20x30 3,2,1 --method best --bounded --tries 50
decompose 20x30 3,2,1 --pattern offsets:3,-2 --wiring cube --latency 1us --per-byte 1ns
decompose 20x30 3,2,1 --pattern systolic --flops 0 --wiring mesh --mtu 0
decompose 2x2 8x1 --pattern none --wiring complete
decompose 20x20 mesh:2x3,capacity=1MB/s
decompose 20x20 1e9,1 --crossover /dev/null --points 3 --wiring several --networks 2
decompose 200x200 4x5 --fewer no --phase stencil3,weight=500 --phase stencil3-across,weight=500
decompose 20x20 4x5 --phase broadcast --phase multicast:2 --phase reduction --phase random --phase wavefront \
    --phase stencil9 --wiring switch
decompose 6x5x4 3,2 --pattern 'offsets:1,0,0;0,-1,0'
decompose 6x5x4 3,2 --phase stencil7 --phase stencil19 --phase stencil27
echo '0 0-1 0-1' | decompose 2x2 3,2 --owners -
