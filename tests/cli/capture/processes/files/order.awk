# of a .tg: which of the kinds a to e come before which others, and what files carry between kinds
FNR == 1 { modules = $3; next }
FNR <= modules + 1 { next }
$1 == "kinds" { named = 1; next }
named { kind[$1] = $2; next }
{ to[$1] = to[$1] " " $2; if ($4 > 0) data[$1 " " $2] = $4 }
function reach(from, i, n, next_one) {
    n = split(to[from], next_one, " ")
    for (i = 1; i <= n; i++) if (!(next_one[i] in seen)) { seen[next_one[i]]; reach(next_one[i]) }
}
END {
    for (m = 0; m < modules; m++) {
        if (kind[m] !~ /^[a-e]$/) continue
        split("", seen)
        reach(m)
        for (k in seen) if (kind[k] ~ /^[a-e]$/) print kind[m] " before " kind[k] | "LC_ALL=C sort"
    }
    close("LC_ALL=C sort")
    for (pair in data) {
        split(pair, end, " ")
        if (kind[end[1]] ~ /^[a-e]$/ && kind[end[2]] ~ /^[a-e]$/) print kind[end[1]] " to " kind[end[2]] ": " data[pair] " bytes" | "LC_ALL=C sort"
    }
}
