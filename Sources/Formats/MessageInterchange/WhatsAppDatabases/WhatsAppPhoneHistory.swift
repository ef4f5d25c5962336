internal import MessageModel

/// The messages of a `ChatStorage.sqlite`, in the order in which they reached the phone.
struct WhatsAppPhoneHistory: SQLiteHistory {
  private let options: ImportOptions
  private let people: WhatsAppPeople
  private let files: WhatsAppFiles
  private let chats: RowLookup<Chat>
  private var rows: KeyedRows

  private struct Chat {
    var address: String
    var title: String
  }

  private static let wanted = ["ZCHATSESSION", "ZISFROMME", "ZMESSAGEDATE", "ZTEXT", "ZMESSAGETYPE"]
  private static let besides = [
    "ZSTANZAID", "ZGROUPEVENTTYPE", "ZFROMJID", "ZPUSHNAME", "ZPARENTMESSAGE",
  ]
  private static let ofMedia = [
    "ZMEDIALOCALPATH", "ZTITLE", "ZFILESIZE", "ZVCARDSTRING", "ZLATITUDE", "ZLONGITUDE", "ZMETADATA",
  ]

  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    try file.freeze()
    let columns = try file.columns(of: "ZWAMESSAGE")
    guard columns.isSuperset(of: Self.wanted), try file.isKeyed("ZWACHATSESSION", by: "Z_PK"),
      try file.columns(of: "ZWACHATSESSION").isSuperset(of: ["ZCONTACTJID", "ZPARTNERNAME"])
    else {
      throw .lackingTables(of: "WhatsApp")
    }
    self.options = options
    let people = try Self.people(file, options)
    self.people = people
    files = WhatsAppFiles(surroundings: file.surroundings, folders: ["Message/", "", "Library/"])
    chats = RowLookup(
      try file.rows("SELECT ZCONTACTJID, ZPARTNERNAME FROM ZWACHATSESSION WHERE Z_PK = ?1")
    ) { row in
      let address = people.address(row.text(0) ?? "")
      let own = row.text(1).flatMap { $0.isEmpty ? nil : $0 }
      return Chat(address: address, title: own ?? people.name(of: address))
    }
    var source = "ZWAMESSAGE AS m"
    func joined(
      _ table: String, _ letter: String, by link: String, _ wanted: [String]
    ) throws(InterchangeError) -> [String] {
      let there = try file.columns(of: table)
      guard columns.contains(link), try file.isKeyed(table, by: "Z_PK") else {
        return wanted.map { _ in "NULL" }
      }
      source += " LEFT JOIN \(table) AS \(letter) ON \(letter).Z_PK = m.\(link)"
      return wanted.map { there.contains($0) ? "\(letter).\($0)" : "NULL" }
    }
    var all = Self.wanted.map { "m.\($0)" } + Self.besides.map { columns.contains($0) ? "m.\($0)" : "NULL" }
    all += try joined("ZWAGROUPMEMBER", "g", by: "ZGROUPMEMBER", ["ZMEMBERJID"])
    all += try joined("ZWAMEDIAITEM", "d", by: "ZMEDIAITEM", Self.ofMedia)
    all += try joined("ZWAMESSAGEINFO", "i", by: "ZMESSAGEINFO", ["ZRECEIPTINFO"])
    rows = try KeyedRows(file, all, from: source, by: "m.Z_PK")
  }

  private static func people(
    _ file: SQLiteFile, _ options: ImportOptions
  ) throws(InterchangeError) -> WhatsAppPeople {
    var people = WhatsAppPeople(me: options.me ?? "me")
    if let book = file.neighbour("ContactsV2.sqlite") {
      let columns = (try? book.columns(of: "ZWAADDRESSBOOKCONTACT")) ?? []
      let hidden = columns.contains("ZLID") ? "ZLID" : "NULL"
      if columns.isSuperset(of: ["ZWHATSAPPID", "ZFULLNAME"]),
        let rows = try? book.rows("SELECT ZWHATSAPPID, ZFULLNAME, \(hidden) FROM ZWAADDRESSBOOKCONTACT")
      {
        while (try? rows.next()) == true {
          let address = rows.text(0).map { $0.contains("@") ? $0 : $0 + "@s.whatsapp.net" }
          people.learn(rows.text(1), of: address)
          people.learn(number: address, ofHidden: rows.text(2).map { $0.contains("@") ? $0 : $0 + "@lid" })
        }
      }
    }
    for (table, address, name) in [
      ("ZWACHATSESSION", "ZCONTACTJID", "ZPARTNERNAME"), ("ZWAGROUPMEMBER", "ZMEMBERJID", "ZCONTACTNAME"),
      ("ZWAGROUPMEMBER", "ZMEMBERJID", "ZFIRSTNAME"), ("ZWAPROFILEPUSHNAME", "ZJID", "ZPUSHNAME"),
    ] where try file.columns(of: table).isSuperset(of: [address, name]) {
      let rows = try file.rows("SELECT \(address), \(name) FROM \(table)")
      while try rows.next() { people.learn(rows.text(1), of: rows.text(0)) }
    }
    people.connect()
    return people
  }

  mutating func next(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    switch try rows.next() {
    case .end: return false
    case .overlong(let row): sink.skip(reason: "row \(row) has a value that is longer than 64 MB")
    case .row(let row): take(row, into: &sink)
    }
    return true
  }

  private func take(_ row: SQLiteRows, into sink: inout RecordSink) {
    guard let time = Self.time(row) else {
      return sink.skip(reason: "row \(row.integer(0)) has no time")
    }
    let number = row.integer(1)
    let chat = chats.value(number) ?? Chat(address: "", title: "")
    let address = chat.address.isEmpty ? "chat \(number)" : chat.address
    let title = chat.address.isEmpty ? "deleted chat \(number)" : chat.title
    var message = RichMessage(time: time.moment, precision: time.precision, text: "")
    let isFromMe = row.integer(2) != 0
    setSender(row, isFromMe: isFromMe, address, of: &message)
    message.details.source = Message.Source(
      platform: "whatsapp",
      id: WhatsAppID.id(row.text(6), in: address, isFromMe: isFromMe, isCopy: row.integer(10) != 0))
    let facts = WhatsAppPhoneFacts(metadata: row.bytes(18), receipts: row.bytes(19), people: people)
    if let answered = facts.answered {
      // The sender of the quoted message is unknown; current keys do not contain it.
      message.details.replyTo = WhatsAppID.id(answered, in: address, isFromMe: false, isCopy: false)
        .map { .external($0) }
    }
    message.details.reactions = facts.reactions
    message.details.forward = facts.forward
    read(row, facts, into: &message)
    sink.append(message, chat: address, called: title, options)
  }

  /// Seconds since 2001 with a fraction; 0 is none.
  private static func time(_ row: SQLiteRows) -> (moment: Timestamp, precision: TimePrecision)? {
    let seconds = row.real(3)
    guard !row.isNull(3), seconds != 0, let milliseconds = Int64(exactly: (seconds * 1_000).rounded()) else {
      return nil
    }
    let (sum, overflow) = milliseconds.addingReportingOverflow(978_307_200_000)
    guard !overflow else { return nil }
    return (Timestamp(millisecondsSince1970: sum), sum % 1_000 == 0 ? .second : .millisecond)
  }

  private func setSender(
    _ row: SQLiteRows, isFromMe: Bool, _ chat: String, of message: inout RichMessage
  ) {
    guard !isFromMe else {
      message.sender = people.me
      return
    }
    let isDirect = WhatsAppPeople.isDirect(chat) == true
    // This column has the group as the sender of its messages.
    let written = row.text(11) ?? (isDirect ? chat : row.text(8))
    guard let address = written.map(people.address), address != chat || isDirect else { return }
    message.details.senderID = address
    let name = people.name(of: address)
    let isNamed = !name.contains("@") && !name.hasPrefix("+")
    message.sender = isNamed ? name : WhatsAppPhoneFacts.pushName(row.text(9)) ?? name
  }

  /// The numbers are iPhones' kinds of messages.
  private func read(_ row: SQLiteRows, _ facts: WhatsAppPhoneFacts, into message: inout RichMessage) {
    let type = row.integer(5)
    let text = people.withMentions(row.text(4) ?? "")
    switch type {
    case 14: (message.kind, message.text) = (.system, "message deleted")
    case 6, 10: readNotice(row, text, into: &message)
    case 46: (message.text, message.word) = (facts.poll ?? text, "poll")
    case 59: (message.kind, message.text) = (.call, text.isEmpty ? "call" : text)
    case 4:
      message.text = ""
      if let card = row.text(15), !card.isEmpty { attachCards(card, to: &message) }
      if message.text.isEmpty { message.text = text.isEmpty ? "contact" : text }
    case 5:
      message.text = WhatsAppKind.place([text, row.text(13)], row.real(16), row.real(17))
    default: readFile(row, type, text, into: &message)
    }
  }

  private func readNotice(_ row: SQLiteRows, _ text: String, into message: inout RichMessage) {
    let number = row.integer(7)
    guard let event = WhatsAppEvent(phone: number) else {
      return WhatsAppEvent.writeUnknown(number, text, "", into: &message)
    }
    if !event.isSomebodys {
      message.sender = nil
      message.details.senderID = nil
    }
    // Other events have a number or an address as text.
    let address = text.contains("@") ? people.name(of: text) : ""
    event.write(address.isEmpty ? text : "", address, into: &message)
  }

  private func attachCards(_ cards: String, to message: inout RichMessage) {
    var rest = cards[...]
    var count = 0
    while !rest.isEmpty, count < Self.mostCards {
      let end = rest.firstRange(of: "_$!<VCard-Separator>!$_")
      VCard.attach(String(rest[..<(end?.lowerBound ?? rest.endIndex)]), to: &message)
      rest = end.map { rest[$0.upperBound...] } ?? ""
      count += 1
    }
  }

  private static let mostCards = 100

  private static let files: [Int64: Int64] = [1: 1, 2: 3, 3: 2, 8: 9, 11: 13, 15: 20, 38: 42, 39: 43]

  private func readFile(
    _ row: SQLiteRows, _ type: Int64, _ text: String, into message: inout RichMessage
  ) {
    message.text = text
    let path = row.text(12)
    guard let kind = Self.files[type] ?? (path == nil ? nil : 0) else {
      if text.isEmpty {
        message.text = Self.words(type) ?? ""
        if message.text.isEmpty {
          message.kind = .unknown
          if type != 0 { message.word = "message of the kind \(type)" }
        }
      }
      return
    }
    let title = row.text(13) ?? ""
    let isDocument = kind == 9
    if isDocument ? message.text == title : message.text.isEmpty {
      message.text = isDocument ? "" : people.withMentions(title)
    }
    let name = isDocument ? (title.isEmpty ? text : title) : ""
    // The same column holds a file's media type or a contact's card.
    let type = row.text(15).flatMap { $0.contains("/") && $0.utf8.count < 128 ? $0 : nil }
    message.details.attachments = [
      Message.Attachment(
        name: WhatsAppKind.fileName(name, path, kind), mediaType: type,
        byteCount: Int(exactly: row.integer(14)).flatMap { $0 > 0 ? $0 : nil }, path: path.map(files.path))
    ]
    if isDocument, message.text == name { message.text = "" }
  }

  private static func words(_ type: Int64) -> String? {
    switch type {
    case 12: "waiting for this message"
    case 27: "invitation to a group"
    case 66: "album"
    default: nil
    }
  }
}
