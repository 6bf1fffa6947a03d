^  "machine": "bus:17,memory=distributed,capacity=1msg/tick",$
^  "name": "paper_bus17",$
^  "model": "bus",$
^  "model_number": 2,$
^  "description": "single bus, distributed memory",$
^  "processors": 17,$
^  "delay_unit": "transfers",$
^  "u_limit": 1,$
^  "u_reachable": (1|0\.99999999999)
^      "given": "utilisation",$
^      "u": 0\.3,$
^      "load": 0\.3,$
^      "rho": 0\.01808796146[12]
^      "rho_processor": 0\.0184211627[34]
^      "delay": 1\.381276872[67]
^      "tau": 1\.381276872[67]
^        "utilisation": 0,$
^        "delay": 0,$
^        "within": 0$
^      "remark": "with messages of one length D is .* % too high; simulate"$
^      "given": "rate",$
^      "u": 0\.(9|89999)
^      "rho": 1\.67944947177,$
^      "rho_processor": null,$
^      "delay": 1\.62678900[56]
^      "remark": "no rate rho_p gives this u: 2 processors, .* stay below u = 0\.8; .*; with messages of one length
