holds
