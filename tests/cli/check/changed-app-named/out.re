^mapping\.json: holds 
