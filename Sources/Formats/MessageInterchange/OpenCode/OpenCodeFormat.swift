internal import Foundation
internal import MessageModel

/// opencode's sessions: `~/.local/share/opencode/opencode.db` since version 1.2,
/// `~/.local/share/opencode/storage` before.
extension OpenCodeFolder {
  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    guard sample.name.hasSuffix(".json") else { return false }
    let folder = sample.folder
    let isPart =
      ["msg_", "prt_"].contains(where: sample.name.hasPrefix)
      && ["message", "part"].contains(folder.dropLast().last)
    let depth = isPart ? 2 : 1
    let isBeside = ["project", "todo", "session_diff", "session_share", "permission"].contains(folder.last)
    guard isPart || isBeside && folder.dropLast().last == "storage" else { return false }
    return FileSurroundings.isFolder("/" + folder.dropLast(depth).joined(separator: "/") + "/session")
  }
}

struct OpenCodeHistory: SQLiteHistory {
  private let rows: SQLiteRows
  private var messages: OpenCodeMessages

  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    guard
      try file.columns(of: "session").isSuperset(of: [
        "id", "title", "directory", "parent_id", "version",
      ]),
      try file.columns(of: "message").isSuperset(of: ["id", "session_id", "time_created", "data"]),
      try file.columns(of: "part").isSuperset(of: ["id", "message_id", "data"])
    else {
      throw .lackingTables(of: "opencode")
    }
    messages = OpenCodeMessages(options)
    let revert = try file.columns(of: "session").contains("revert") ? "s.revert" : "NULL"
    rows = try file.rows(
      """
      SELECT p.id, p.data, m.id, m.data, m.time_created, s.id, s.title, s.directory, s.parent_id, \(revert)
        FROM message AS m JOIN session AS s ON s.id = m.session_id LEFT JOIN part AS p ON p.message_id = m.id
        ORDER BY m.session_id, m.time_created, m.id, p.id
      """)
  }

  mutating func next(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    guard try rows.next() else {
      messages.finish(into: &sink)
      return false
    }
    let (id, data, facts) = (rows.text(0) ?? "", Array(rows.bytes(1)), Array(rows.bytes(3)))
    let place = OpenCodeMessages.Place(
      id: rows.text(2) ?? "", session: rows.text(5) ?? "", title: rows.text(6), folder: rows.text(7),
      parent: rows.text(8), time: Timestamp(millisecondsSince1970: rows.integer(4)),
      revert: JSONFields(rows.bytes(9)).flatMap(OpenCodeMessages.Revert.init))
    messages.take(part: id, data, of: facts, at: place, into: &sink)
    return true
  }
}

/// A session of opencode before version 1.2: `storage/session/PROJECT/SESSION.json` with a file per message
/// (`storage/message/SESSION/MESSAGE.json`) and per part (`storage/part/MESSAGE/PART.json`).
struct OpenCodeFolder: HistoryReader {
  private let file: InputFile
  private var messages: OpenCodeMessages
  private var session: Session?

  private struct Session {
    var storage: String
    var place: OpenCodeMessages.Place
    var waiting: [String]
  }

  init(file: InputFile, options: ImportOptions) {
    self.file = file
    messages = OpenCodeMessages(options)
  }

  var hasSeenItsFormat: Bool { session != nil }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    if session == nil { try begin() }
    while !sink.isFull {
      guard let name = session?.waiting.popLast() else {
        messages.finish(into: &sink)
        return false
      }
      take(name, into: &sink)
    }
    return true
  }

  private mutating func begin() throws(InterchangeError) {
    guard file.diskPath != nil, let storage = Self.storage(of: file.folder), isWithinRoot(storage) else {
      throw InterchangeError(
        .unreadable, "cannot read the session",
        cause: "its messages lie in other folders (import the folder 'storage' above it, unpacked)")
    }
    let bytes = Array(try file.source.peek(SessionFolder.longest))
    let place: OpenCodeMessages.Place? = bytes.withUnsafeBytes { bytes in
      guard UTF8Check.isValid(bytes), let fields = JSONFields(bytes) else { return nil }
      func text(_ key: String) -> String? { (try? fields.plainText(key)) ?? nil }
      return OpenCodeMessages.Place(
        id: "", session: String(file.name.dropLast(".json".count)), title: text("title"),
        folder: text("directory"), parent: text("parentID"), time: Timestamp(millisecondsSince1970: 0),
        revert: fields.object("revert").flatMap(OpenCodeMessages.Revert.init))
    }
    guard let place else {
      throw InterchangeError(.unreadable, "cannot read the session", cause: "it is not a whole JSON object")
    }
    // Ids ascend in the order of writing.
    session = Session(
      storage: storage, place: place,
      waiting: SessionFolder.names(in: "\(storage)/message/\(place.session)").reversed())
  }

  private mutating func take(_ name: String, into sink: inout RecordSink) {
    guard let session else { return }
    var place = session.place
    place.id = String(name.dropLast(".json".count))
    guard let facts = SessionFolder.content("\(session.storage)/message/\(place.session)/\(name)"),
      let time = Self.time(facts)
    else {
      return sink.skip(reason: "message \(place.id): it is cut, or has no time")
    }
    place.time = time
    let folder = "\(session.storage)/part/\(place.id)"
    let parts = SessionFolder.names(in: folder)
    if parts.isEmpty { messages.take(part: "", [], of: facts, at: place, into: &sink) }
    for part in parts {
      let id = String(part.dropLast(".json".count))
      guard let data = SessionFolder.content("\(folder)/\(part)") else {
        sink.skip(reason: "part \(id): it cannot be read")
        continue
      }
      messages.take(part: id, data, of: facts, at: place, into: &sink)
    }
  }

  private static func time(_ facts: [UInt8]) -> Timestamp? {
    facts.withUnsafeBytes { bytes in
      guard UTF8Check.isValid(bytes), let created = JSONFields(bytes)?.object("time")?.integer("created")
      else {
        return nil
      }
      return Timestamp(millisecondsSince1970: created)
    }
  }

  static func storage(of folder: [String]) -> String? {
    guard let place = folder.lastIndex(of: "session"), place >= folder.count - 2, place > 0 else {
      return nil
    }
    return "/" + folder[..<place].joined(separator: "/")
  }

  private func isWithinRoot(_ folder: String) -> Bool {
    guard let root = file.root else { return false }
    let named = FolderWalk.absoluteComponents(of: root)
    return folder.split(separator: "/").map(String.init).starts(with: named)
  }
}
