import inlay
mapping = inlay.map("graphs/cholesky4.dot", "bus:17", time_frame=464)
print(mapping.elapsed, mapping.time_unit, mapping["messages"])
for cluster in mapping.clusters:
    print(cluster.processor, f"{cluster.utilisation:.1%}", *cluster.modules)
