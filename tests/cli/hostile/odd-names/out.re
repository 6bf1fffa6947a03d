m.json: holds
estimate
estimate
