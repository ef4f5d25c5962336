internal import HistoryQueries
internal import MessageModel

struct SiteConversation: Codable {
  let id: Conversation.ID
  private(set) var firstPiece = 0
  private(set) var messageCount = 0
  private(set) var pieceCount = 0
  private var firstID: Message.ID?
  private(set) var lastID: Message.ID?
  private var firstPrecision = TimePrecision.millisecond
  private var lastPrecision = TimePrecision.millisecond
  private var firstTime: Timestamp?
  private var lastTime: Timestamp?
  /// Whether any message was written at another time than that of its place.
  private var haveOwnTimes = false
  private var lastSender: String?
  private var lastText = ""
  private var pieces: [SiteBeginning] = []
  private var parts: [SiteBeginning] = []
  private var days: [SiteDay] = []
  private var dayFileCount = 0
  private var lastDay: Range<Timestamp>?
  /// Its pages without scripts.
  var pages = SitePages()

  /// The most pieces without an index: pieces also contain their beginnings and days.
  static let plainPieceCount = 8
  static let partCount = 512
  static let dayCount = 1_000

  init(_ id: Conversation.ID) { self.id = id }

  private var hasIndex: Bool { pieceCount > Self.plainPieceCount }

  mutating func add(
    _ message: SiteMessage, piece: Int, _ clock: inout WallClock, _ site: SiteFolder
  ) throws -> String {
    if pieceCount == 0 {
      firstPiece = piece
      (firstID, firstTime, firstPrecision) = (message.id, message.moment, message.precision)
    }
    if piece >= firstPiece + pieceCount {
      if pieces.count == Self.partCount { try writePart(site) }
      let beginning = SiteBeginning(messageCount + 1, message.id)
      if pieces.isEmpty { parts.append(beginning) }
      pieces.append(beginning)
      pieceCount += 1
    }
    if message.moment != message.id.placeTime { haveOwnTimes = true }
    let day = try addDay(of: message.moment, &clock, site)
    messageCount += 1
    (lastID, lastTime, lastPrecision) = (message.id, message.moment, message.precision)
    lastSender = message.sender
    lastText = message.beginning
    return day
  }

  private mutating func addDay(
    of moment: Timestamp, _ clock: inout WallClock, _ site: SiteFolder
  ) throws -> String {
    if let lastDay, lastDay.contains(moment), !days.isEmpty {
      days[days.count - 1].count += 1
      return days[days.count - 1].name
    }
    let civil = clock.civil(at: moment)
    let day = CivilTime(year: civil.year, month: civil.month, day: civil.day)
    let start = clock.moment(showing: day)
    lastDay = start..<max(start, clock.moment(showing: CivilTime(daysSince1970: day.daysSince1970 + 1)))
    let name = day.dateText
    while hasIndex, days.count >= Self.dayCount { try writeDays(site) }
    days.append(SiteDay(name, count: 1, firstNumber: messageCount + 1))
    return name
  }

  private mutating func writePart(_ site: SiteFolder) throws {
    guard !pieces.isEmpty else { return }
    struct Part: Encodable {
      let pieces: [SiteBeginning]
    }
    try site.put("c/\(id.rawValue)/i/\(parts.count - 1)", AnswerEncoder.bytes(of: Part(pieces: pieces)))
    pieces = []
  }

  private mutating func writeDays(_ site: SiteFolder) throws {
    struct Days: Encodable {
      let days: [SiteDay]
    }
    let written = Array(days.prefix(Self.dayCount))
    try site.put("c/\(id.rawValue)/d/\(dayFileCount)", AnswerEncoder.bytes(of: Days(days: written)))
    days.removeFirst(written.count)
    dayFileCount += 1
  }

  mutating func finish(_ site: SiteFolder) throws {
    guard hasIndex else { return }
    try writePart(site)
    while !days.isEmpty { try writeDays(site) }
    struct Index: Encodable {
      let parts: [SiteBeginning]
      let dayFiles: Int
    }
    let index = Index(parts: parts, dayFiles: dayFileCount)
    try site.put("c/\(id.rawValue)/index", AnswerEncoder.bytes(of: index))
  }

  func listed(_ conversation: Conversation) throws -> String {
    var answer = ConversationAnswer(conversation)
    (answer.messages, answer.firstID, answer.lastID) = (messageCount, firstID, lastID)
    answer.first = firstTime?.rounded(to: firstPrecision)
    answer.last = lastTime?.rounded(to: lastPrecision)
    answer.firstPrecision = firstPrecision == .millisecond ? nil : firstPrecision
    answer.lastPrecision = lastPrecision == .millisecond ? nil : lastPrecision
    answer.readUpTo = nil
    (answer.lastSender, answer.lastText) = (lastSender, lastText.isEmpty ? nil : lastText)
    struct Places: Encodable {
      let firstPiece: Int
      let pieces: Int
      let indexed: Bool?
      let ownTimes: Bool?
    }
    let known = String(decoding: try AnswerEncoder.bytes(of: answer), as: UTF8.self).dropLast()
    let places = try AnswerEncoder.bytes(
      of: Places(
        firstPiece: firstPiece, pieces: pieceCount, indexed: hasIndex ? true : nil,
        ownTimes: haveOwnTimes ? true : nil))
    return String(known) + "," + String(decoding: places.dropFirst(), as: UTF8.self)
  }
}

struct SiteBeginning: Codable {
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

struct SiteDay: Codable {
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
