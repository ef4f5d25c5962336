internal import MessageModel

/// slackdump's database, in the order of time. A later run may have added another version of a message; the
/// last one counts.
struct SlackdumpDatabase: SQLiteHistory {
  private let workspace: SlackWorkspace
  private var messages: SlackMessages
  private let rows: SQLiteRows
  private var pending: [String: [UInt8]] = [:]
  private var pendingByteCount = 0
  private var moment: Int64?

  private static let mostPending = 1_024
  private static let mostPendingBytes = 16 << 20

  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    guard try file.columns(of: "MESSAGE").isSuperset(of: ["ID", "CHUNK_ID", "CHANNEL_ID", "DATA"]) else {
      throw .lackingTables(of: "slackdump")
    }
    workspace = try Self.workspace(file)
    messages = SlackMessages(in: workspace, options)
    rows = try file.rows("SELECT ID, CHANNEL_ID, DATA FROM MESSAGE ORDER BY ID, CHUNK_ID")
  }

  private static func workspace(_ file: SQLiteFile) throws(InterchangeError) -> SlackWorkspace {
    var workspace = SlackWorkspace()
    if try file.columns(of: "S_USER").isSuperset(of: ["DATA", "CHUNK_ID"]) {
      let users = try file.rows("SELECT DATA FROM S_USER ORDER BY CHUNK_ID")
      while try users.next() { try? workspace.learnUser(users.bytes(0)) }
    }
    if try file.columns(of: "CHANNEL").isSuperset(of: ["DATA", "CHUNK_ID"]) {
      let channels = try file.rows("SELECT DATA FROM CHANNEL ORDER BY CHUNK_ID")
      while try channels.next() { try? workspace.learnConversation(channels.bytes(0)) }
    }
    return workspace
  }

  mutating func next(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    guard try rows.next() else {
      handOver(into: &sink)
      return false
    }
    let isFull = pending.count >= Self.mostPending || pendingByteCount >= Self.mostPendingBytes
    if moment != rows.integer(0) || isFull { handOver(into: &sink) }
    moment = rows.integer(0)
    guard let channel = rows.text(1), !channel.isEmpty else {
      sink.skip(reason: "message \(rows.integer(0)): it has no channel", record: rows.bytes(2))
      return true
    }
    let data = Array(rows.bytes(2))
    pendingByteCount += data.count
    pending[channel] = data
    return true
  }

  private mutating func handOver(into sink: inout RecordSink) {
    for (channel, data) in pending.sorted(by: { $0.key < $1.key }) {
      data.withUnsafeBytes { value in
        do throws(JSONError) {
          guard UTF8Check.isValid(value) else { throw JSONError(reason: "it is not JSON in UTF-8") }
          try messages.add(value, in: workspace.conversation(id: channel), to: &sink)
        } catch {
          sink.skip(reason: "message \(moment ?? 0) of \(channel): \(error.reason)", record: value)
        }
      }
    }
    pending.removeAll(keepingCapacity: true)
    pendingByteCount = 0
  }
}

/// A channel by slackdump: a reply of Slack's API per line.
struct SlackdumpChunks: JSONRows {
  private var messages: SlackMessages
  private let workspace: SlackWorkspace
  private let fileName: String
  private(set) var hasSeenItsFormat = false

  init(file: InputFile, options: ImportOptions) {
    workspace = file.companions.slackWorkspace(in: file.folder)
    messages = SlackMessages(in: workspace, options)
    fileName = PathNames(file.components).conversation
  }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    hasSeenItsFormat = hasSeenItsFormat || fields["t"] != nil
    let channel =
      try fields.string("id").map(workspace.conversation(id:)) ?? workspace.conversation(inFolder: fileName)
    var values = fields["p"].map { [$0] } ?? []
    try fields.forEach("m") { message throws(JSONError) in values.append(message) }
    for value in values {
      do throws(JSONError) {
        try messages.add(value, in: channel, to: &sink)
      } catch {
        sink.skip(line: number, reason: error.reason, record: value)
      }
    }
  }
}
