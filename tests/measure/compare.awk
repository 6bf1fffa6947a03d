# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: awk -f tests/measure/json.awk -f tests/measure/compare.awk FOUND.json <SLOW
#
# Whether FOUND, of `inlay measure --json`, is what fit.awk found, SLOW: prints how many figures agree to a millionth, and
# a line for each that does not.
BEGIN {
    json_read(ARGV[1], found)
    name["latency"] = "a"; name["per_byte"] = "g"; name["residual"] = "residual"; name["largest_error"] = "largest"
    name["residuals/switch"] = "switch"; name["residuals/half_duplex"] = "half"; name["residuals/bus"] = "bus"
    name["kind"] = "kind"
    for (i = 0; i < found["fits#"] + found["rings#"]; i++)
        for (way in name)
            take(i < found["fits#"] ? "fits/" i : "rings/" (i - found["fits#"]), way)
    for (i = 0; i < found["ranks#"]; i++) {
        given["rank " found["ranks/" i "/rank"] " host"] = found["ranks/" i "/host"]
        repeats("rank " found["ranks/" i "/rank"] " arithmetic", "ranks/" i "/arithmetic")
        repeats("rank " found["ranks/" i "/rank"] " function", "ranks/" i "/function")
    }
    for (i = 0; i < found["overheads/by_size#"]; i++) {
        kept("send", i)
        kept("receive", i)
        given["kept " found["overheads/by_size/" i "/size"] " waits"] = found["overheads/by_size/" i "/waits"] == "true"
    }
    for (i = 0; i < found["overheads/rest#"]; i++) {
        given[found["overheads/rest/" i "/class"] " left_a"] = found["overheads/rest/" i "/latency"]
        given[found["overheads/rest/" i "/class"] " left_g"] = found["overheads/rest/" i "/per_byte"]
    }
    for (i = 0; i < found["hosts#"]; i++)
        repeats("host " i " copying", "hosts/" i "/copying")
    while ((getline line < "-") > 0) {
        words = split(line, word)
        agree(substr(line, 1, length(line) - length(word[words]) - 1), word[words])
    }
    for (what in given)
        if (!(what in seen))
            print "DIFFERS: " what " is " given[what] ", and the slow fit has none"
    print agreed " figures agree"
    exit
}

function take(way, member) {
    if ((way "/" member) in found)
        given[found[way "/class"] " " name[member]] = found[way "/" member]
}

function kept(part, i) {
    given["kept " found["overheads/by_size/" i "/size"] " " part] = found["overheads/by_size/" i "/" part]
}

function repeats(name, way) {
    given[name " alone"] = found[way "/alone/median"]
    given[name " alone spread"] = found[way "/alone/spread"]
    given[name " all"] = found[way "/all/median"]
    given[name " all spread"] = found[way "/all/spread"]
}

# Of what rounding leaves where equal numbers are taken apart, only its smallness is compared.
function close_to(fast, slow,    off) {
    off = fast - slow
    off = off < 0 ? -off : off
    return fast != "" && (off <= 1e-6 * slow || off < 1e-12 && slow < 1e-12)
}

function agree(what, slow) {
    seen[what]
    if (what ~ / (kind|host)$/ ? given[what] == (slow == "half" ? "half-duplex" : slow) : close_to(given[what], slow))
        agreed++
    else
        print "DIFFERS: " what " is " given[what] ", and by the slow fit " slow
}
