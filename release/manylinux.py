"""`python -m release.manylinux x86_64`: the manylinux_2_28 image for a processor, as cibuildwheel pins it."""

from __future__ import annotations

import configparser
import sys
from importlib.resources import files

IMAGE = "manylinux_2_28"


def pinned_image(processor: str) -> str:
    """Return the image for a processor, such as x86_64 or aarch64."""
    pins = configparser.ConfigParser()
    pins.read_string((files("cibuildwheel") / "resources" / "pinned_docker_images.cfg").read_text(encoding="utf-8"))
    return pins[processor][IMAGE]


if __name__ == "__main__":
    print(pinned_image(sys.argv[1]))
