internal import HistoryQueries
internal import MessageModel

/// What is told of a conversation in the indexes of a site: where its pieces and its days begin.
struct SiteConversation: Codable {
  let id: Conversation.ID
  /// The number of its first piece among all.
  let firstPiece: Int
  private(set) var messageCount = 0
  private(set) var pieceCount = 0
  private var firstID: Message.ID?
  private(set) var lastID: Message.ID?
  private var firstPrecision = TimePrecision.millisecond
  private var lastPrecision = TimePrecision.millisecond
  private var lastSender: String?
  private var lastText = ""
  /// The beginnings of the pieces of the part that is being filled, and those of all parts.
  private var pieces: [Beginning] = []
  private var parts: [Beginning] = []
  /// The days of the year that is being filled, and the years.
  private var days: [Span] = []
  private var years: [Span] = []
  /// Where the last day ends.
  private var endOfDay: Message.ID?

  /// How many pieces are listed together.
  static let partCount = 512
  /// The most characters of the newest message's text that are told.
  private static let textLength = 200

  /// The number and the id of a first message.
  struct Beginning: Codable {
    var number: Int
    var id: Message.ID

    init(_ number: Int, _ id: Message.ID) { (self.number, self.id) = (number, id) }

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      (number, id) = (try list.decode(Int.self), try list.decode(Message.ID.self))
    }

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(number)
      try list.encode(id)
    }
  }

  /// A day or a year, how many messages it holds, and the number of its first one.
  struct Span: Codable {
    var name: String
    var count: Int
    var firstNumber: Int

    init(_ name: String, count: Int, firstNumber: Int) {
      (self.name, self.count, self.firstNumber) = (name, count, firstNumber)
    }

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      name = try list.decode(String.self)
      (count, firstNumber) = (try list.decode(Int.self), try list.decode(Int.self))
    }

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(name)
      try list.encode(count)
      try list.encode(firstNumber)
    }
  }

  init(_ id: Conversation.ID, firstPiece: Int) { (self.id, self.firstPiece) = (id, firstPiece) }

  /// Takes in a piece that was written.
  mutating func add(_ piece: SitePiece, _ clock: inout WallClock, _ site: SiteFolder) throws {
    guard let first = piece.messages.first, let last = piece.messages.last else { return }
    if pieces.count == Self.partCount { try writePart(site) }
    let beginning = Beginning(messageCount + 1, first.id)
    if pieces.isEmpty { parts.append(beginning) }
    pieces.append(beginning)
    if firstID == nil { (firstID, firstPrecision) = (first.id, first.precision) }
    for message in piece.messages {
      try addDay(of: message.id, &clock, site)
      messageCount += 1
    }
    (lastID, lastPrecision, lastSender) = (last.id, last.precision, last.sender)
    lastText = String(last.text.prefix(Self.textLength))
    pieceCount += 1
  }

  private mutating func addDay(of id: Message.ID, _ clock: inout WallClock, _ site: SiteFolder) throws {
    if let endOfDay, id < endOfDay, !days.isEmpty, !years.isEmpty {
      days[days.count - 1].count += 1
      years[years.count - 1].count += 1
      return
    }
    let civil = clock.civil(at: id.time)
    let day = CivilTime(year: civil.year, month: civil.month, day: civil.day)
    endOfDay = Message.ID(time: clock.moment(showing: CivilTime(daysSince1970: day.daysSince1970 + 1)))
    var bytes: [UInt8] = []
    ISO8601.writeDate(day, to: &bytes)
    let name = String(decoding: bytes, as: UTF8.self)
    let year = String(name.dropLast("-05-01".count))
    if years.last?.name != year {
      try writeYear(site)
      years.append(Span(year, count: 0, firstNumber: messageCount + 1))
    }
    days.append(Span(name, count: 1, firstNumber: messageCount + 1))
    years[years.count - 1].count += 1
  }

  private mutating func writePart(_ site: SiteFolder) throws {
    guard !pieces.isEmpty else { return }
    struct Part: Encodable {
      let pieces: [Beginning]
    }
    try site.put("c/\(id.rawValue)/i/\(parts.count - 1)", AnswerEncoder.bytes(of: Part(pieces: pieces)))
    pieces = []
  }

  private mutating func writeYear(_ site: SiteFolder) throws {
    guard let year = years.last else { return }
    struct Year: Encodable {
      let days: [Span]
    }
    try site.put("c/\(id.rawValue)/d/\(year.name)", AnswerEncoder.bytes(of: Year(days: days)))
    days = []
  }

  /// Writes its indexes.
  mutating func finish(_ site: SiteFolder) throws {
    try writePart(site)
    try writeYear(site)
    struct Index: Encodable {
      let messages: Int
      let pieces: Int
      let parts: [Beginning]
      let years: [Span]
    }
    let index = Index(messages: messageCount, pieces: pieceCount, parts: parts, years: years)
    try site.put("c/\(id.rawValue)/index", AnswerEncoder.bytes(of: index))
  }

  /// What the list of conversations has of it, in JSON.
  func listed(_ conversation: Conversation) throws -> String {
    var answer = ConversationAnswer(conversation)
    (answer.messages, answer.firstID, answer.lastID) = (messageCount, firstID, lastID)
    answer.first = firstID?.time.rounded(to: firstPrecision)
    answer.last = lastID?.time.rounded(to: lastPrecision)
    answer.firstPrecision = firstPrecision == .millisecond ? nil : firstPrecision
    answer.lastPrecision = lastPrecision == .millisecond ? nil : lastPrecision
    answer.readUpTo = nil
    (answer.lastSender, answer.lastText) = (lastSender, lastText.isEmpty ? nil : lastText)
    struct Places: Encodable {
      let firstPiece: Int
      let pieces: Int
    }
    // Two objects made one.
    let known = String(decoding: try AnswerEncoder.bytes(of: answer), as: UTF8.self).dropLast()
    let places = try AnswerEncoder.bytes(of: Places(firstPiece: firstPiece, pieces: pieceCount))
    return String(known) + "," + String(decoding: places.dropFirst(), as: UTF8.self)
  }
}
