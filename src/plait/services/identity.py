"""Facts about the AWS account in use: account, caller, region, organization."""

from __future__ import annotations

from plait.access.trouble import refused
from plait.services.aws import asked
from plait.services.sessions import Sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.scope import Permit

IDENTITY = {"account_id": "Account", "caller_identity_arn": "Arn", "caller_identity_user_id": "UserId"}
"""Facts that one question to the token service answers."""


class Facts:
    """Who we are to AWS, in groups of facts that one question answers."""

    def __init__(self, sessions: Sessions, permit: Permit) -> None:
        self.sessions = sessions
        self.permit = permit

    @staticmethod
    def group(fact: str) -> str:
        return "identity" if fact in IDENTITY else fact

    def answers(self, group: str) -> dict[str, str]:
        what = f"!aws.{group}" if group != "identity" else "!aws.account_id"
        if group == "region":
            return {group: self._region(what)}
        if group == "identity":
            answer = asked(what, self.sessions.aws(self.permit, "sts", {}, what).get_caller_identity)
            return {fact: str(answer[field]) for fact, field in IDENTITY.items()}
        answer = asked(what, self.sessions.aws(self.permit, "organizations", {}, what).describe_organization)
        return {group: str(answer["Organization"]["Id"])}

    def _region(self, what: str) -> str:
        region = self.permit.client("boto3", what).Session().region_name
        if not region:
            raise refused(what, "no region is configured", "set AWS_REGION, or a region in the profile")
        return str(region)
