"""Steps per second of DBOS for Python, with the rows of the other engines.

    python3 -m venv VENV && VENV/bin/pip install dbos==3.4.0
    integration/postgres/run VENV/bin/python integration/durable-peers/other/dbos_steps.py
"""

import asyncio
import os
import statistics
import time
from urllib.parse import quote

import psycopg
from dbos import DBOS, DBOSConfig

ROWS = [(1, 500), (64, 50), (1000, 10)]
ROUNDS = int(os.environ.get("ROUNDS", "3"))


@DBOS.step()
async def add(total: int, number: int) -> int:
    return total + number


@DBOS.workflow()
async def count(steps: int) -> int:
    total = 0
    for number in range(steps):
        total = await add(total, number)
    return total


def new_database(number: int) -> str:
    """Creates a database, and returns its URL."""
    address = os.environ["VOLT_DURABLE_POSTGRES"]
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"create database python_{number}")
    parts = dict(part.split("=") for part in address.split())
    folder = quote(parts["host"], safe="")
    return f"postgresql://{parts['user']}@/python_{number}?host={folder}"


async def measure(database: int, workflows: int, steps: int) -> float:
    """Returns the steps per second."""
    config: DBOSConfig = {
        "name": "steps",
        "system_database_url": new_database(database),
        "log_level": "ERROR",
        "run_admin_server": False,
    }
    DBOS(config=config)
    DBOS.launch()
    begin = time.perf_counter()
    handles = [await DBOS.start_workflow_async(count, steps) for _ in range(workflows)]
    for handle in handles:
        assert await handle.get_result() == steps * (steps - 1) // 2
    seconds = time.perf_counter() - begin
    DBOS.destroy()
    return workflows * steps / seconds


def main() -> None:
    print("| workflows | steps each | steps/s, median | least | most |")
    for row, (workflows, steps) in enumerate(ROWS):
        rates = sorted(
            asyncio.run(measure(row * ROUNDS + number, workflows, steps))
            for number in range(ROUNDS)
        )
        middle = statistics.median(rates)
        print(f"| {workflows} | {steps} | {middle:.0f} | {rates[0]:.0f} | {rates[-1]:.0f} |")


main()
