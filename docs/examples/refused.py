import inlay
with open("wrong.dot", "w") as file:
    file.write("digraph x {\n a [time=3];\n b [tyme=3];\n}\n")
try:
    inlay.map("wrong.dot", "bus:2")
except inlay.BadInput as error:
    print(error.file, error.line)
try:
    inlay.map("graphs/cholesky4.dot", "bus:17", time_frame=100)
except inlay.NoAnswer as error:
    print(error.remedies, inlay.map("graphs/cholesky4.dot", "bus:17", **error.remedies).elapsed)
