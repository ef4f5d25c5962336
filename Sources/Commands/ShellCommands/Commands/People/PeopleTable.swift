internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import TerminalText

enum PeopleTable {
  static func table(of people: [PersonAnswer], _ layout: TableLayout) -> String {
    let rows = people.map { person in
      [
        VisibleText.of(person.name), NumberText.grouped(person.messages),
        NumberText.counted(person.accountCount, "account"),
        person.accounts.prefix(20).map { label($0) }.joined(separator: ", "),
      ]
    }
    return TextTable.text(rows, alignsRight: [1, 2], layout: layout, cutting: [3, 0], leavingOut: [2])
  }

  static func accounts(of person: PersonAnswer, _ layout: TableLayout) -> String {
    let rows = person.accounts.map { account in
      [
        VisibleText.of(account.name), NumberText.grouped(account.messages),
        VisibleText.of(account.senderID ?? ""),
        account.otherNames.map { "also " + $0.map { VisibleText.of($0) }.joined(separator: ", ") } ?? "",
      ]
    }
    let rest = person.accountCount - person.accounts.count
    let end = rest > 0 ? [["and \(NumberText.counted(rest, "more account"))", "", "", ""]] : []
    return TextTable.text(rows + end, alignsRight: [1], layout: layout, cutting: [3, 0])
  }

  static func text(of suggestions: [PersonSuggestionAnswer]) -> String {
    suggestions.map { one in
      let head = one.known ? "\(VisibleText.of(one.person)) (has accounts)" : VisibleText.of(one.person)
      let accounts = one.accounts.map { "  \(label($0)) · \(NumberText.counted($0.messages, "message"))\n" }
      return head + "\n" + accounts.joined() + "  because: "
        + one.reasons.map { VisibleText.of($0) }.joined(separator: ", ") + "\n"
    }.joined()
  }

  static func table(of changes: [PeopleChangeAnswer], zone: TimeZone, _ layout: TableLayout) -> String {
    var clock = WallClock(zone: zone)
    let rows = changes.map { change in
      [
        String(change.change), DateText.dateAndTime(clock.civil(at: change.time), precision: .minute),
        sentence(of: change), change.undone ? "(undone)" : "",
      ]
    }
    return TextTable.text(rows, alignsRight: [0], layout: layout, cutting: [2])
  }

  static func sentence(of change: PeopleChangeAnswer) -> String {
    let told = change.what.prefix(3).map { VisibleText.of($0) }.joined(separator: ", ")
    let rest = change.count - min(change.what.count, 3)
    return rest > 0 ? "\(told) and \(NumberText.grouped(rest)) more" : told
  }

  private static func label(_ account: AccountAnswer) -> String {
    let name = VisibleText.of(account.name)
    guard let id = account.senderID, id != account.name else { return name }
    return "\(name) (\(VisibleText.of(id)))"
  }
}
