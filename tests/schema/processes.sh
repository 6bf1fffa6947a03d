# shellcheck shell=sh
processes() { inlay processes --json --quiet "$@"; }
processes architectures/lab-speeds.csv -W 90000 --fit offset --grid 300x300 --best 1
processes architectures/paper-speeds.json
processes architectures/paper-speeds.json --grid 60x60x60 --beyond-hoho
processes architectures/paper-speeds.json --grid 3x3x3
processes architectures/lab-speeds.csv -W 500000
processes architectures/lab-speeds.csv -W 500000 --fit offset
processes architectures/lab-speeds.csv -W 500000 --fit paper
processes architectures/lab-speeds.csv -W 5000 --fit constant
processes architectures/office-speeds.csv -W 2160 --best 0
processes architectures/office-speeds.csv -W 2160 --whole-units
for unit in ms us ns; do
    echo "{\"data\": 9, \"time_unit\": \"$unit\", \"types\": [{\"name\": \"x\", \"speed\": 2}]}" | processes -
done
