"""How far the lines of a file reach: how many values of how many targets they decide."""

from __future__ import annotations

from plait.survey.survey import Survey

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.survey.survey import Fate


class LineReach:
    """What the lines of one file decide, as far as targets were looked at."""

    __slots__ = ("_fates", "kind", "looked", "readers")

    def __init__(self, survey: Survey, file: str, most: int) -> None:
        """At most so many targets are looked at that were not looked at before."""
        self.readers = survey.readers(file)
        known = [target for target in self.readers if survey.is_known(target)]
        fresh = [target for target in self.readers if target not in known][:most]
        self.looked = [*known, *fresh]
        self.kind = survey.kind
        self._fates: dict[int, Fate] = survey.fates(file, self.looked)

    def summary(self, first: int, last: int) -> str:
        """What some lines decide, in a few words; empty where they decide nothing."""
        fates = [fate for line, fate in self._fates.items() if first <= line <= last]
        places = {place for fate in fates for place in fate.wins}
        targets = {target for target, _, _ in places}
        if not self.looked or not fates:
            return ""
        some = "" if len(self.looked) == len(self.readers) else f" of the {len(self.looked)} looked at so far"
        if not places:
            return f"affects no value{some and f' in the {len(self.looked)} {self.kind}s looked at so far'}"
        values = f"{len(places)} value{'' if len(places) == 1 else 's'}"
        return f"affects {values} in {len(targets)} {self.kind}{'' if len(targets) == 1 else 's'}{some}"
