"""The functions of gomplate that plait does not have, each with the reason or what to use instead."""

from __future__ import annotations

_MACHINE = "facts about this machine are not configuration"
_ACCOUNT = "use `!aws.account_id` and the like"
REFUSED = {
    "tmpl.Path tmpl.PathDir": "a template is part of a manifest; see `.atmos_stack_file`",
    "file.Write file.Walk file.ReadDir file.Stat file.IsDir": "a template reads single files of the project",
    "data.CUE data.ToCUE cue toCUE": "CUE is not supported",
    "data.EJSON data.DecryptEJSON": "keep secrets in a store and read them with `!secret`",
    "crypto.PBKDF2MCF crypto.Yescrypt crypto.YescryptMCF": "use `crypto.PBKDF2` or `crypto.Bcrypt`",
    "env.Env env.HasEnv": "ask for single variables with `env.Getenv`",
    "net.LookupCNAME net.LookupSRV net.LookupSRVs net.LookupTXT": "only addresses are looked up (`net.LookupIP`)",
    "aws.Account aws.ARN aws.UserID": _ACCOUNT,
    "aws.EC2Meta aws.EC2Dynamic aws.EC2Region aws.EC2Tag aws.EC2Tags": _MACHINE,
    "ec2meta ec2dynamic ec2region ec2tag ec2tags": _MACHINE,
    "aws.KMSEncrypt aws.KMSDecrypt": "keep secrets in a store and read them with `!secret`",
    "sockaddr.GetAllInterfaces sockaddr.GetDefaultInterfaces sockaddr.GetPrivateInterfaces": _MACHINE,
    "sockaddr.GetPublicInterfaces sockaddr.Sort sockaddr.Exclude sockaddr.Include sockaddr.Attr": _MACHINE,
    "sockaddr.Join sockaddr.Limit sockaddr.Offset sockaddr.Unique sockaddr.Math": _MACHINE,
    "sockaddr.GetPrivateIP sockaddr.GetPrivateIPs sockaddr.GetPublicIP sockaddr.GetPublicIPs": _MACHINE,
    "sockaddr.GetInterfaceIP sockaddr.GetInterfaceIPs": _MACHINE,
    "gcp.Meta": _MACHINE,
    "include defineDatasource listDatasources": "declare data sources in atmos.yaml",
    "datasourceExists datasourceReachable": "declare data sources in atmos.yaml, and read them with `datasource`",
}
"""Names of functions, with the reason."""


def why_refused(name: str) -> str:
    """Why plait does not have a function of gomplate, or one of the namespace of that name; empty where it is none of
    gomplate's."""
    for names, why in REFUSED.items():
        if any(one == name or one.startswith(f"{name}.") for one in names.split()):
            return f"plait does not have this function of gomplate: {why}"
    return ""
