^mapping\.json: holds \([0-9]+ numbers recomputed, 2 of the method taken as they stand\)$
