^mapping\.json: holds \([0-9]+ numbers recomputed\)$
