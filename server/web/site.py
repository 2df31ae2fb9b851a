"""The pages' routes, and adding them to an app. Not for starting a server (server.app)."""

from aiohttp import web

from server.usecases.context import Core
from server.usecases.play.open_pages import Hub
from server.web import archive as archive_pages
from server.web import cup as cup_pages
from server.web import help as help_pages
from server.web import rating as rating_pages
from server.web import sharing
from server.web.account import settings as settings_pages
from server.web.account import sign_in
from server.web.cases import case_forms, case_page
from server.web.cases import decision_pages as deciding
from server.web.desks import books, desk_pages, mail_desk
from server.web.entries import entry_desk, entry_pages
from server.web.entries import season as season_pages
from server.web.frame import assets, installing, middleware
from server.web.frame import event_stream as events
from server.web.frame.context import CORE, Throttle
from server.web.frame.forms import FILES, stands_on
from server.web.frame.middleware import add_headers, frame
from server.web.groups import group_desk, group_pages, published
from server.web.league import league_pages
from server.web.league import team_entries as team_entry_pages
from server.web.play import draws_and_claims, game_page, my_games, send_move
from server.web.play import game_sheet_page as game_paper
from server.web.play import private_notes_page as own_side_page
from server.web.postal import cards as card_pages
from server.web.postal import cards_desk
from server.web.reflection import leave as leave_pages
from server.web.register import join_pages
from server.web.register import members as register_pages

GAME = r"/games/{game:\d{1,18}}"
CASE = r"/desk/cases/{year:\d{4}}/{n:\d{1,9}}"
TEAM = r"/captain/{team:\d{1,18}}"
TEAM_ENTRY = r"/team-entry/{entry:\d{1,18}}"
DIVISION = "/desk/league/{name:.+}"
CUP = r"/desk/cups/{cup:\d{1,18}}"
PLAN = r"/desk/league-plans/{plan:\d{1,18}}"

ROUTES = (
    web.get("/", my_games.front),
    web.get("/games", my_games.all_mine),
    web.get("/next", my_games.go_on),
    web.get("/signin", sign_in.ask_page),
    web.post("/signin", sign_in.ask),
    web.get("/login/{token}", sign_in.link_page),
    web.post("/login/{token}", sign_in.use_link),
    web.post("/signout", sign_in.sign_out),
    web.post("/language", sign_in.choose_language),
    web.get("/about", sign_in.about),
    web.get(assets.PATH, assets.download_source),
    *settings_pages.ACCOUNT_ROUTES,
    *join_pages.ROUTES,
    *join_pages.JOIN_DESK_ROUTES,
    *desk_pages.ROUTES,
    *help_pages.ROUTES,
    web.get("/settings", register_pages.show_own_address),
    web.post("/settings", register_pages.do),
    web.get("/events", events.listen, allow_head=False),
    *installing.ROUTES,
    *settings_pages.NOTIFICATION_ROUTES,
    *settings_pages.SETTINGS_ROUTES,
    web.get(GAME, game_page.show),
    web.get(f"{GAME}.pgn", game_paper.game_pgn),
    web.get(f"{GAME}/paper", game_paper.show),
    web.get(f"{GAME}/paper.pdf", game_paper.as_file),
    web.post(f"{GAME}/paper", game_paper.say),
    web.get(f"{GAME}/board.png", game_paper.game_picture),
    web.get(f"{GAME}/{{step:preview|change|move|hold|delayed}}", game_page.back),
    web.post(f"{GAME}/preview", send_move.show_preview),
    web.post(f"{GAME}/change", send_move.change),
    web.post(f"{GAME}/move", send_move.send),
    web.post(f"{GAME}/hold", send_move.hold),
    web.post(f"{GAME}/delayed", send_move.do),
    web.get(f"{GAME}/private", own_side_page.show),
    web.get(f"{GAME}/openings", game_page.show_opening_panel),
    web.get(f"{GAME}/analysis.pgn", own_side_page.tree_pgn),
    web.post(f"{GAME}/tree", own_side_page.tree),
    web.post(f"{GAME}/note", own_side_page.note),
    web.post(f"{GAME}/thread", own_side_page.thread),
    web.get(f"{GAME}/end/{{kind}}", draws_and_claims.question),
    web.post(f"{GAME}/end/{{kind}}", draws_and_claims.do),
    web.post(f"{GAME}/unreached", game_page.stop),
    web.get(f"{GAME}/object", draws_and_claims.ask_to_object),
    web.post(f"{GAME}/object", draws_and_claims.object_to),
    *draws_and_claims.ROUTES,
    web.get(f"{GAME}/case.zip", case_forms.show),
    web.get("/pgn/{name:.+}.pgn", case_forms.group),
    web.get(f"{GAME}/card", card_pages.show),
    web.post(f"{GAME}/card", card_pages.preview),
    web.post(f"{GAME}/card/record", card_pages.record),
    web.get(f"{GAME}/cards/{{seq:\\d{{1,9}}}}/scan", card_pages.scan),
    web.post(f"{GAME}/cards/{{seq:\\d{{1,9}}}}/seen", published.record_card_seen),
    web.post(f"{GAME}/receipt", card_pages.receipt),
    web.get("/results/{name:.+}", published.show),
    web.post("/results/{name:.+}", published.do),
    web.post(f"{GAME}/email", card_pages.email),
    web.get(f"{GAME}/statement", game_paper.show_statement),
    web.get(f"{GAME}/statement.json", game_paper.as_json),
    web.get(f"{GAME}/statement.txt", game_paper.as_text),
    web.get("/groups/{name:.+}/start.pdf", group_pages.start_pdf),
    web.get("/groups/{name:.+}/atom.xml", sharing.show_group_feed),
    web.get(r"/embed/{kind:games|archive}/{game:\d{1,18}}", sharing.show),
    web.get("/oembed", sharing.describe_game),
    web.get("/robots.txt", sharing.robots),
    web.get("/sitemap.xml", sharing.sitemap),
    web.get("/groups/{name:.+}", group_pages.show),
    web.get("/tournaments/{name:.+}", group_pages.show_tournament),
    web.get("/bulletins", published.list_bulletins),
    web.post("/bulletins", published.want),
    web.get(r"/bulletins/{number:\d{1,9}}", published.show_bulletins),
    web.get(r"/bulletins/{number:\d{1,9}}.pdf", published.as_file),
    web.get("/desk/bulletin", published.show_bulletin_desk),
    web.post("/desk/bulletin", published.issue_bulletin),
    web.get("/cup", cup_pages.index),
    web.get(r"/cup/{edition:\d{4}}", cup_pages.show),
    web.get("/titles", group_desk.show_titles),
    web.post("/titles", group_desk.enter),
    web.post(r"/titles/{title:\d{1,18}}/remove", group_desk.remove),
    web.get("/desk/cups", cup_pages.show_cup_desk),
    web.post("/desk/cups", cup_pages.open_new),
    web.get(CUP, cup_pages.show_desk),
    web.post(f"{CUP}/draw", cup_pages.draw),
    web.get("/ratings", rating_pages.show_rating_list),
    web.get("/ratings.csv", rating_pages.as_csv),
    web.get("/ratings/{name:.+}", rating_pages.show),
    web.get("/desk/ratings", rating_pages.show_desk),
    web.post("/desk/ratings", rating_pages.do),
    web.get("/league", league_pages.index),
    web.get("/league/{name:.+}", league_pages.show),
    web.get("/captain", league_pages.show_captain_desk),
    web.post(f"{TEAM}/reserve", league_pages.reserve),
    web.post(f"{TEAM}/report", league_pages.report),
    web.post(r"/captain/pauses/{reserve:\d{1,18}}/end", league_pages.end_pause),
    web.get("/team-entry", team_entry_pages.show_team_entry),
    web.post("/team-entry", team_entry_pages.do),
    web.post(rf"{TEAM_ENTRY}/lineup", team_entry_pages.change),
    web.post(rf"{TEAM_ENTRY}/withdraw", team_entry_pages.withdraw),
    web.get("/desk/team-entries", team_entry_pages.show_team_desk),
    team_entry_pages.FEES.route,
    web.post("/desk/team-entries/districts", team_entry_pages.make_team),
    web.post("/desk/team-entries/admins", team_entry_pages.admins),
    web.post(
        r"/desk/team-entries/{entry:\d{1,18}}/{deed:fee|leave|refuse|withdraw}",
        team_entry_pages.run_entry_action,
    ),
    web.get("/desk/league", league_pages.overview),
    web.get("/desk/league-plans", league_pages.show_season_plans),
    web.post("/desk/league-plans", league_pages.do),
    web.get(PLAN, league_pages.show_plan),
    web.post(f"{PLAN}/grant", league_pages.grant),
    web.post(f"{PLAN}/start", league_pages.start),
    web.post("/desk/league-plans/entered", league_pages.compose_from_entries),
    web.post(rf"{DIVISION}/reserves/{{reserve:\d{{1,18}}}}", league_pages.decide),
    web.post(rf"{DIVISION}/teams/{{team:\d{{1,18}}}}", league_pages.change),
    web.post(f"{DIVISION}/lots", league_pages.lots),
    web.post(f"{DIVISION}/stronger", league_pages.stronger),
    web.get(DIVISION, league_pages.show_desk),
    web.get("/archive", archive_pages.show_archive),
    web.get(r"/archive/tournaments/{event:\d{1,18}}", archive_pages.tournament),
    web.get(r"/archive/{game:\d{1,18}}", archive_pages.game),
    web.get(r"/archive/{game:\d{1,18}}.pgn", archive_pages.as_pgn),
    web.get(r"/archive/{game:\d{1,18}}/board.png", game_paper.archive_picture),
    web.get(r"/archive/{game:\d{1,18}}/ledger.json", archive_pages.as_ledger),
    web.get("/players", register_pages.players),
    web.get(r"/players/{person:\d{1,18}}", register_pages.player),
    web.get("/clubs", register_pages.clubs_players_and_clubs),
    web.get(r"/clubs/{club:\d{1,18}}", register_pages.club),
    web.get("/leave", leave_pages.show),
    web.post("/leave", leave_pages.ask),
    web.get("/enter", entry_pages.show),
    web.post("/enter", entry_pages.do),
    web.post(r"/enter/{entry:\d{1,18}}/withdraw", entry_pages.withdraw),
    web.get("/desk", desk_pages.leader),
    desk_pages.SILENCES.route,
    desk_pages.PRIZES.route,
    desk_pages.CARDS.route,
    web.get("/desk/entries", entry_desk.show_desk),
    web.post("/desk/entries", entry_desk.enter_player),
    entry_desk.FEES.route,
    web.post("/desk/entries/lists", entry_desk.add_list),
    web.post(r"/desk/entries/lists/{list:\d{1,18}}", entry_desk.change),
    web.post(r"/desk/entries/lists/{list:\d{1,18}}/correct", entry_desk.correct),
    web.get(r"/desk/entries/{entry:\d{1,18}}", entry_desk.show),
    web.post(r"/desk/entries/{entry:\d{1,18}}/{deed}", entry_desk.do),
    web.get("/desk/players", entry_desk.find_player),
    web.get(r"/desk/players/{person:\d{1,18}}", entry_desk.show_player_record),
    web.post(r"/desk/players/{person:\d{1,18}}", entry_desk.add),
    web.post(r"/desk/players/{person:\d{1,18}}/remove", entry_desk.remove),
    web.get("/desk/kc", desk_pages.controller),
    web.post("/desk/kc/offices", desk_pages.appoint),
    web.post(r"/desk/kc/offices/{office:\d{1,18}}", desk_pages.dismiss),
    web.get("/desk/kc/year", books.show_year),
    web.post("/desk/kc/year", books.change),
    web.get("/desk/kc/season", season_pages.show),
    web.post("/desk/kc/season", season_pages.do),
    web.post("/desk/kc/union", season_pages.keep),
    web.get("/desk/kc/pasted", season_pages.show_pasted),
    web.post("/desk/kc/pasted", season_pages.take),
    web.get("/desk/kc/economy", books.show),
    web.post("/desk/kc/economy", books.enter),
    books.PRIZES.route,
    web.get("/desk/kc/economy.csv", books.export),
    web.get(r"/desk/kc/economy/year/{year:\d{4}}", books.year_of),
    web.post("/desk/kc/economy/import", books.take_file),
    web.post(r"/desk/kc/economy/{entry:\d{1,18}}", books.take_back),
    web.post(r"/desk/kc/economy/prizes/{publication:\d{1,18}}", books.send_prizes),
    web.get("/desk/board", desk_pages.board),
    *cards_desk.ROUTES,
    web.get("/desk/long", group_desk.show_long_games),
    group_desk.CALL_IN.route,
    web.get("/desk/groups/{name:.+}", group_desk.show_desk),
    web.post("/desk/groups/{name:.+}/letter", group_desk.write_to_all),
    web.post("/desk/groups/{name:.+}/withdraw", group_desk.withdraw),
    web.post("/desk/groups/{name:.+}/annul", group_desk.annul),
    web.post("/desk/groups/{name:.+}/live", group_desk.follow),
    web.post("/desk/groups/{name:.+}/playoff", stands_on(group_desk.show_desk)(group_desk.playoff)),
    web.post(
        "/desk/groups/{name:.+}/shared-title", stands_on(group_desk.show_desk)(group_desk.share)
    ),
    web.get("/desk/members", register_pages.show_members),
    web.get("/desk/members/clubs", register_pages.clubs),
    web.get("/desk/members/new", register_pages.new),
    web.post("/desk/members/new", register_pages.add),
    web.get(FILES, register_pages.show_files),
    web.post(FILES, register_pages.take),
    web.get("/desk/members/{what:members|clubs|ratings}.csv", register_pages.export_register),
    web.get(r"/desk/members/{person:\d{1,18}}", register_pages.show),
    web.post(r"/desk/members/{person:\d{1,18}}", register_pages.change),
    web.post(r"/desk/members/{person:\d{1,18}}/ratings/remove", register_pages.remove),
    web.get(CASE, case_page.show),
    web.get(rf"{CASE}/mails/{{mail:\d{{1,18}}}}", case_page.mail),
    web.get(rf"{CASE}/papers/{{paper:\d{{1,18}}}}", case_page.paper),
    web.post(f"{CASE}/decide", deciding.decide),
    web.post(f"{CASE}/edit", deciding.edit),
    web.post(f"{CASE}/rule", deciding.rule),
    web.post(f"{CASE}/{{deed}}", case_forms.do),
    web.post("/leave/shorten", leave_pages.make_shorter),
    web.post("/leave/feed", leave_pages.change_feed),
    web.get("/calendar/{key:[A-Za-z0-9_-]{1,80}}.ics", leave_pages.calendar),
    web.get("/desk/leave", leave_pages.show_special_leave),
    web.post("/desk/leave", leave_pages.do),
    web.get("/desk/mail", mail_desk.show),
    mail_desk.PUT_AWAY.route,
    web.post(r"/desk/mail/{row:\d{1,18}}", mail_desk.do),
    web.get("/mailbox", mail_desk.show_mailbox),
    web.get(r"/mailbox/{mail:\d{1,18}}", mail_desk.read),
    web.get(r"/mailbox/{mail:\d{1,18}}/raw", mail_desk.raw),
    web.get("/c/{token}", send_move.question),
    web.post("/c/{token}", send_move.answer),
    web.get("/think/{key:[a-z2-7]{1,80}}", leave_pages.question),
    web.post("/think/{key:[a-z2-7]{1,80}}", leave_pages.give_notice),
    web.get("/static/{digest:[0-9a-f]{12}}/{name:.+}", assets.serve),
)


def setup(app: web.Application, core: Core, hub: Hub | None = None) -> None:
    """Add the pages to an app, with the headers and checks around them.

    ``hub`` notifies open pages of changes; without one they are not notified.
    """
    app[CORE] = core
    app[events.HUB] = hub or Hub()
    app.on_shutdown.append(events.end_streams)
    app[sign_in.THROTTLE] = Throttle()
    app[middleware.STRANGERS] = Throttle(middleware.MOST_OF_STRANGER)
    app[join_pages.THROTTLE] = Throttle(join_pages.MOST)
    app.middlewares.append(frame)
    app.on_response_prepare.append(add_headers)
    app.add_routes(ROUTES)
