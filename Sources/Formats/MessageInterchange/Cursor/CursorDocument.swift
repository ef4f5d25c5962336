internal import MessageModel

/// A value with one chat or a list of them, streamed twice, since a chat's title follows its messages.
struct CursorDocument {
  enum Kind {
    /// Chats beside an editor, 2023 and 2024.
    case tabs
    /// A workspace's composers, 2024.
    case composers
    /// One composer, since 2025.
    case composer

    fileprivate var list: String? {
      switch self {
      case .tabs: "tabs"
      case .composers: "allComposers"
      case .composer: nil
      }
    }
  }

  enum Next {
    /// A message and its chat's index, valid until the next call.
    case bubble(Bytes, session: Int)
    case overlong(session: Int)
    case end
  }

  private(set) var sessions: [CursorSession] = []
  /// Whether it contains the messages; otherwise they are rows of their own.
  private(set) var hasBubbles = false

  var isTimeless: Bool { kind.list != nil }

  private let kind: Kind
  private var stream: JSONStream
  private var session = 0

  static let longest = 8 << 20

  private static let bubbleLists = ["conversation", "conversationMap", "bubbles"]
  private static let headers = "fullConversationHeadersOnly"

  init?(
    _ kind: Kind, in table: String, row: Int64, of file: SQLiteFile, _ times: inout LooseTime
  ) throws(InterchangeError) {
    func open() -> JSONStream? {
      file.value(of: "value", in: table, row: row).map { JSONStream(ByteSource($0), longest: Self.longest) }
    }
    guard let first = open(), let second = open() else { return nil }
    self.kind = kind
    stream = first
    do throws(InterchangeError) { try look(&times) } catch {
      // The messages before the damage are read, and the damage is reported then.
      if !hasBubbles { throw error }
    }
    (stream, session) = (second, 0)
  }

  private mutating func look(_ times: inout LooseTime) throws(InterchangeError) {
    if kind.list == nil { sessions.append(CursorSession()) }
    while true {
      switch try move() {
      case .end: return
      case .overlong: continue
      case .leave:
        if isEndOfSession { session += 1 }
      case .value(let value, _):
        guard let place = place(of: stream.path) else { continue }
        if session == sessions.count { sessions.append(CursorSession()) }
        if place.count == 2, Self.bubbleLists.contains(place[0]) { hasBubbles = true }
        guard UTF8Check.isValid(value) else { continue }
        if place.count == 1 { try? sessions[session].note(place[0], value, &times) }
        if place.count == 2, place[0] == Self.headers { try? sessions[session].noteHeader(value, &times) }
      }
    }
  }

  mutating func next() throws(InterchangeError) -> Next {
    while true {
      switch try move() {
      case .end: return .end
      case .leave:
        if isEndOfSession { session += 1 }
      case .overlong:
        if isBubble { return .overlong(session: session) }
      case .value(let value, _):
        if isBubble, session < sessions.count { return .bubble(value, session: session) }
      }
    }
  }

  private mutating func move() throws(InterchangeError) -> JSONStream.Next {
    let list = kind.list
    return try stream.next { path in
      guard let list else { return path.isEmpty || Self.isList(path[...]) }
      switch path.count {
      case 0: return true
      case 1: return path[0] == list
      default: return path[0] == list && path[1] == "*" && (path.count == 2 || Self.isList(path[2...]))
      }
    }
  }

  private static func isList(_ path: ArraySlice<String>) -> Bool {
    guard let key = path.first, path.count == 1 else { return false }
    return key == headers || bubbleLists.contains(key)
  }

  private func place(of path: [String]) -> ArraySlice<String>? {
    guard let list = kind.list else { return path[...] }
    guard path.count > 2, path[0] == list, path[1] == "*" else { return nil }
    return path[2...].isEmpty ? nil : ArraySlice(Array(path[2...]))
  }

  private var isBubble: Bool {
    place(of: stream.path).map { $0.count == 2 && Self.bubbleLists.contains($0[0]) } ?? false
  }

  private var isEndOfSession: Bool {
    kind.list != nil && stream.path.count == 2 && stream.path[0] == kind.list && sessions.count > session
  }
}
