# SPDX-License-Identifier: GPL-3.0-or-later
#
# For other scripts: awk -f tests/measure/json.awk -f OTHER.awk ...
#
# json_read(FILE, TREE) puts a JSON file into an array. The value at the end of a way is TREE[way], where a way is the
# names and the numbers of elements with / between them, as in TREE["pairs/0/seconds/2/1"]; texts stay as they are
# written. TREE[way "#"] is the number of elements or members there. The file has to be sound.
function json_read(file, tree,    line) {
    json_text = ""
    while ((getline line < file) > 0)
        json_text = json_text line "\n"
    close(file)
    json_at = 1
    json_value(tree, "")
}

function json_next(    c) {
    while (index(" \t\n", c = substr(json_text, json_at, 1)) && c != "")
        json_at++
    return c
}

function json_string(    from) {
    for (from = ++json_at; substr(json_text, json_at, 1) != "\""; json_at++)
        if (substr(json_text, json_at, 1) == "\\")
            json_at++
    return substr(json_text, from, json_at++ - from)
}

function json_value(tree, way,    c, n) {
    c = json_next()
    if (c == "{" || c == "[") {
        json_at++
        while (json_next() != (c == "{" ? "}" : "]")) {
            if (json_next() == ",") {
                json_at++
                json_next()
            }
            json_member(tree, way, c, n++)
        }
        json_at++
        tree[way "#"] = n + 0
    } else if (c == "\"") {
        tree[way] = json_string()
    } else {
        n = json_at
        while (index("+-.0123456789abcdefghijklmnopqrstuvwxyzE", c = substr(json_text, json_at, 1)) && c != "")
            json_at++
        tree[way] = substr(json_text, n, json_at - n)
    }
}

function json_member(tree, way, bracket, number,    name) {
    name = number
    if (bracket == "{") {
        name = json_string()
        json_next()
        json_at++ # the colon
    }
    json_value(tree, way == "" ? name : way "/" name)
}
