"""A case for the rule tests, led step by step. Not a test.

Anna claims against Bent; Lis leads the group, Karl is the controller, Nina, Nils and Nora are the
Board.
"""

from datetime import date, timedelta

from kskak.cases import case as case_commands
from kskak.cases import case_events
from kskak.cases.case import CaseReason, CaseRefusal, CaseState
from kskak.cases.case_events import Decision, GameOrder, Instance, SanctionKind, SanctionOrder
from kskak.cases.decide_case import apply_case_events, decide_case
from kskak.game.game_events import ResultRuled
from kskak.regulation.editions import Result

ANNA, BENT, LIS, KARL, NINA, OLE = 1, 2, 11, 12, 13, 99
NILS, NORA = 14, 15
GAME, OTHER_GAME, STRANGE_GAME = 501, 502, 777
LEADER = case_commands.Actor(LIS, frozenset({Instance.LEADER}))
CONTROLLER = case_commands.Actor(KARL, frozenset({Instance.CONTROLLER}))
PANEL = tuple(map(case_commands.BoardSeat, (NINA, NILS, NORA)))
MEMBERS = tuple(
    case_commands.Actor(one.member, frozenset({Instance.BOARD}), panel=PANEL) for one in PANEL
)
BOARD = MEMBERS[0]
CLAIMANT, OPPONENT, STRANGER = (
    case_commands.Actor(ANNA),
    case_commands.Actor(BENT),
    case_commands.Actor(OLE),
)
OF = {Instance.LEADER: LEADER, Instance.CONTROLLER: CONTROLLER, Instance.BOARD: BOARD}
DAY = date(2026, 3, 2)
FEE = 54_000
PAID = case_events.Deposit(FEE, DAY, "bilag 7")
LOST = GameOrder(GAME, ResultRuled(Result.WHITE_WINS, DAY, "", ""))
QUARANTINE = SanctionOrder(BENT, SanctionKind.QUARANTINE, 3)
EXPULSION = SanctionOrder(BENT, SanctionKind.EXPULSION)
WARNING = SanctionOrder(BENT, SanctionKind.WARNING)


class Case:
    """A case and its events so far."""

    def __init__(
        self,
        kind: case_events.CaseKind = case_events.CaseKind.OVERSTEP,
        by: case_commands.Actor = CLAIMANT,
        instance: Instance = Instance.LEADER,
    ):
        self.events: list[case_events.CaseEvent] = []
        self.state: CaseState | None = None
        self.day = DAY
        self.do(
            case_commands.OpenCase(
                kind, (ANNA, BENT), "Er tiden overskredet?", ("6.3.3.1",), (), (GAME, OTHER_GAME),
                instance,
            ),
            by,
        )  # fmt: skip

    @classmethod
    def opened(cls, opening: case_commands.OpenCase, by: case_commands.Actor) -> "Case":
        """Another case."""
        case = cls.__new__(cls)
        case.events, case.state, case.day = [], None, DAY
        return case.do(opening, by)

    @property
    def now(self) -> CaseState:
        assert self.state is not None
        return self.state

    def ask(self, command: case_commands.CaseCommand, actor: case_commands.Actor, days: int = 0):
        """What the command would lead to, so many days on."""
        return decide_case(self.state, command, self.day + timedelta(days), actor)

    def refused(
        self, command: case_commands.CaseCommand, actor: case_commands.Actor, days: int = 0
    ) -> CaseReason:
        """Why it is refused."""
        answer = self.ask(command, actor, days)
        assert isinstance(answer, CaseRefusal), answer
        assert answer.paragraph
        return answer.reason

    def do(
        self, command: case_commands.CaseCommand, actor: case_commands.Actor, days: int = 0
    ) -> "Case":
        """The command carried out so many days on; time passes."""
        answer = self.ask(command, actor, days)
        assert not isinstance(answer, CaseRefusal), answer
        self.day += timedelta(days)
        self.events += answer
        self.state = apply_case_events(self.state, answer) if answer else self.state
        return self

    def heard(self, days: int = 0) -> "Case":
        """Closed with a reason."""
        leader = OF[self.now.instance]
        return self.do(case_commands.CloseHearing("Begge har udtalt sig."), leader, days)

    def decision(self, *orders: GameOrder, **others) -> Decision:
        """A complete decision of the instance whose turn it is, today."""
        ref = others.pop("ref", f"E-7/{len(self.now.decided) + 1}")
        whole = {
            "paragraphs": ("6.3.3.3",),
            "reasons": "Kortet er stemplet den 19.",
            "games": orders,
            "votes": self.now.votes,
        }
        return Decision(ref, self.now.instance, self.day, **(whole | others))

    def decide(self, *orders: GameOrder, **others) -> "Case":
        """Decided by whose turn it is; the Board votes first, as the decision says, and is paid."""
        if self.now.instance is Instance.BOARD:
            self.paid()
            self.vote(*(others.get("grants", ()) for _ in MEMBERS))
        return self.do(
            case_commands.Decide(self.decision(*orders, **others)), OF[self.now.instance]
        )

    def paid(self, *persons: int) -> "Case":
        """The deposits received (of all, if nobody is named)."""
        for held in self.now.deposits:
            if held.received is None and (not persons or held.person in persons):
                came = case_events.Deposit(held.fee or FEE, self.day, "")
                self.do(case_commands.ReceiveDeposit(held.person, came, FEE), CONTROLLER)
        return self

    def vote(self, *upholds: tuple[int, ...]) -> "Case":
        """The Board's members vote, each for those whom he would uphold."""
        for member, persons in zip(MEMBERS, upholds, strict=False):
            self.do(case_commands.CastVote(persons), member)
        return self

    def deliver(self, days: int = 0) -> "Case":
        """The latest decision told to both."""
        for person in (ANNA, BENT):
            told = self.day + timedelta(days)
            self.do(
                case_commands.RecordDelivery(self.now.latest.ref, person, told),
                case_commands.SERVER,
                days,
            )
            days = 0
        return self

    def appeal(self, by: case_commands.Actor = OPPONENT, days: int = 0, **others) -> "Case":
        """Appealed, to the Board with the deposit."""
        return self.do(case_commands.Appeal("digest", **others), by, days)

    def to_board(self, **decided) -> "Case":
        """Decided by leader and controller and appealed to the Board by Bent."""
        self.heard().decide(LOST, **decided).deliver().appeal().decide().deliver()
        return self.appeal(deposit=PAID, fee=FEE, running_games=(GAME, OTHER_GAME))
