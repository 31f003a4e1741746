variable "cidr" {}
