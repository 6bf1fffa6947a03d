"""What pip asks for a wheel (PEP 517): these files need no compiler, so that installing them needs no network either."""
import base64
import hashlib
import os
import tarfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as project:
    FACTS = dict(line.strip().split(" = ", 1) for line in project if line.startswith(("name", "version", "description", "requires-p")))
NAME, VERSION, SUMMARY, PYTHON = (FACTS[k].strip('"') for k in ("name", "version", "description", "requires-python"))
METADATA = (f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {VERSION}\nSummary: {SUMMARY}\nLicense: GPL-3.0-or-later\n"
            f"Requires-Python: {PYTHON}\nProvides-Extra: graphs\nRequires-Dist: networkx; extra == 'graphs'\n"
            "Provides-Extra: frames\nRequires-Dist: pandas; extra == 'frames'\n")


def build_wheel(folder, config_settings=None, metadata_directory=None):
    info, wheel, record = f"{NAME}-{VERSION}.dist-info", f"{NAME}-{VERSION}-py3-none-any.whl", []
    with zipfile.ZipFile(os.path.join(folder, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        def add(name, data):
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}\n")
        for file in sorted(os.listdir(os.path.join(HERE, NAME))):
            if file.endswith((".py", ".typed")):
                with open(os.path.join(HERE, NAME, file), "rb") as source:
                    add(f"{NAME}/{file}", source.read())
        add(f"{info}/METADATA", METADATA.encode())
        add(f"{info}/WHEEL", b"Wheel-Version: 1.0\nGenerator: inlay\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "".join(record) + f"{info}/RECORD,,\n")
    return wheel


def build_sdist(folder, config_settings=None):
    base = f"{NAME}-{VERSION}"
    with tarfile.open(os.path.join(folder, base + ".tar.gz"), "w:gz") as archive:
        for file in ("pyproject.toml", os.path.basename(__file__), NAME):
            archive.add(os.path.join(HERE, file), f"{base}/{file}", filter=lambda t: None if "__pycache__" in t.name else t)
    return base + ".tar.gz"
