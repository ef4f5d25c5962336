internal import MessageModel

enum PostgresFault {
  static func connecting(to address: PostgresAddress, text: String, needsPassword: Bool) -> StoreError {
    let summary = "cannot open '\(address.shown)'"
    let cause = line(text) ?? "the server does not answer"
    if needsPassword || text.contains("password authentication failed")
      || text.contains("no password supplied")
    {
      return StoreError(
        .notPermitted, summary, cause: cause,
        remedy: "the right password in ~/.pgpass, or in the file that $PGPASSFILE names")
    }
    if text.contains("does not exist"), text.contains("database") {
      return StoreError(
        .noSuchStore, summary, cause: cause, remedy: "make that database on its server, or another address")
    }
    if text.contains("role"), text.contains("does not exist") || text.contains("not permitted") {
      return StoreError(.notPermitted, summary, cause: cause, remedy: "another user before the @")
    }
    return StoreError(
      .inputOutput, summary, cause: cause,
      remedy: "check that PostgreSQL runs there and accepts connections from here")
  }

  static func answered(_ result: PostgresRows, at place: String) -> StoreError {
    let summary = "cannot use the archive at '\(place)'"
    let cause = line(result.message)
    func error(_ kind: StoreError.Kind, remedy: Remedy? = nil) -> StoreError {
      StoreError(kind, summary, cause: cause, remedy: remedy)
    }
    switch result.state {
    case "57014":
      return result.message.contains("timeout")
        ? error(.busy, remedy: "a narrower question, or again when the server has less to do")
        : StoreError(.cancelled, summary, cause: "it was stopped")
    case "42P01", "3F000", "42703":
      return StoreError(
        .notAStore, summary, cause: "the database has no archive, or one of another version",
        remedy: .publish)
    case "42501", "28000", "28P01":
      return error(.notPermitted, remedy: "a role that has the right to do this")
    case "25006":
      return StoreError(
        .readOnly, summary, cause: cause, remedy: "a server and a role that allow writing")
    case "53100": return error(.noSpace, remedy: "free space on the server's disk, then again")
    case "2201B": return StoreError(.invalidRequest, "cannot search", cause: cause)
    case "40001", "40P01", "55P03": return error(.busy, remedy: "run it again")
    default:
      let isGone = result.state.hasPrefix("08") || result.state.hasPrefix("57P") || result.state.isEmpty
      return error(isGone ? .inputOutput : .damaged, remedy: isGone ? "again, when the server is there" : nil)
    }
  }

  static func line(_ text: String) -> String? {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " || $0 == "\t" } }
    guard let first = lines.first(where: { !$0.isEmpty }) else { return nil }
    let bare = first.hasPrefix("ERROR:  ") ? first.dropFirst(8) : first
    return VisibleText.of(String(bare.prefix(300)), keepsTabs: false)
  }
}
