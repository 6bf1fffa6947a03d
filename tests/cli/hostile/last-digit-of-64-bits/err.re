passes 64 bits
