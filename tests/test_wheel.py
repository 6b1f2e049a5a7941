"""The wheel holds all that the package needs, and builds the same site as the repository it came from."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.site.build import PUBLISHED, REPOSITORY, contents

pytestmark = pytest.mark.slow


def pip(*arguments: str) -> str:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder), str(REPOSITORY))
    (found,) = folder.glob("*.whl")
    return Path(found)


def test_every_file_of_the_package_is_in_the_wheel(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    package = REPOSITORY / "macros" / "recordweave"
    expected = {
        f"recordweave/{path.relative_to(package).as_posix()}"
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    expected |= {f"recordweave/schemas/{path.name}" for path in (REPOSITORY / "schemas").glob("*.schema.json")}
    packed = {name for name in names if not name.split("/")[0].endswith(".dist-info")}
    assert packed == expected
    assets = [
        f"views/assets/{name}" for name in ("recordweave.css", "recordweave-finder.js", "recordweave-tooltips.js")
    ]
    for needed in ("py.typed", *assets, "views/templates/table.html.j2", "sources/explanations.yml"):
        assert f"recordweave/{needed}" in packed
    for needed in ("diagnostics", "records", "integration-issues", "amendments", "supersessions"):
        assert f"recordweave/schemas/{needed}.schema.json" in packed


def test_the_wheel_tells_mkdocs_of_its_plugin(wheel):
    archive = zipfile.ZipFile(wheel)
    (name,) = (each for each in archive.namelist() if each.endswith("/entry_points.txt"))
    assert "recordweave = recordweave.site.plugin:RecordweavePlugin" in archive.read(name).decode()
    assert any(each.endswith("/licenses/LICENSE") for each in archive.namelist())


def test_the_installed_wheel_builds_the_same_site(wheel, published, repository, builds, tmp_path):
    """From a folder that holds nothing but the configuration, the prose and the records."""
    pip("install", "--no-deps", "--no-index", "--no-compile", "--target", str(tmp_path / "installed"), str(wheel))
    environment = {"PYTHONPATH": str(tmp_path / "installed")}
    asked = [sys.executable, "-c", "import recordweave; print(recordweave.__file__)"]
    where = subprocess.run(asked, env=os.environ | environment, capture_output=True, text=True, check=True).stdout
    assert Path(where.strip()).is_relative_to(tmp_path / "installed")
    PUBLISHED.configure(repository)
    build = builds.run(repository, tmp_path / "site", environment=environment)
    assert build.status == 0, build.output
    expected, found = contents(published.site.folder), contents(tmp_path / "site")
    assert found.keys() == expected.keys()
    assert [name for name in expected if "sitemap" not in name and found[name] != expected[name]] == []
