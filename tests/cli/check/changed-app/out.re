^application: sha256 is 
