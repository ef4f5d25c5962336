internal import Foundation
internal import MessageInterchange
internal import MessageModel

/// A page of a site that needs no script: neighbouring messages of a month, or of a thread.
struct SitePage {
  let place: SitePagePlace
  let conversation: String
  private var html: HTMLExport
  private var body: [UInt8] = []
  private(set) var count = 0
  private var senders: [String] = []
  private var days: (first: String, last: String)?

  private static let maxCount = 1_000
  private static let maxByteCount = 1 << 20
  /// The most senders that a description names.
  private static let namedCount = 3

  init(_ place: SitePagePlace, of record: ExportRecord, zone: TimeZone, hasThreads: Bool) {
    self.place = place
    conversation = record.conversation
    let isThread = place.isOfThread
    html = HTMLExport(
      timeZone: zone,
      HTMLExport.Surroundings(
        first: record.id, message: "../../index.html#m", thread: hasThreads && !isThread ? "t" : nil))
  }

  /// Whether the next message begins another page. One message alone may be larger than a page.
  var isFull: Bool { count >= Self.maxCount || body.count >= Self.maxByteCount }

  /// The last day, as a date.
  var lastDay: String { days?.last ?? "" }

  mutating func add(_ record: ExportRecord, on day: String) {
    html.write(record, to: &body)
    count += 1
    days = (days?.first ?? day, day)
    if let sender = record.sender, senders.count <= Self.namedCount, !senders.contains(sender) {
      senders.append(sender)
    }
  }

  func document(before: SitePagePlace?, after: SitePagePlace?, address: String?) -> [UInt8] {
    // A page alone is listed with the conversations, the others are with each other.
    let isAlone = before == nil && after == nil && !place.isOfThread
    let ways = [
      SiteDocument.Way("../index.html", "All conversations"),
      isAlone ? nil : SiteDocument.Way("index.html", conversation),
      SiteDocument.Way("../../index.html#m\(place.first)", "With search"),
      before.map { SiteDocument.Way($0.fileName, "‹ \($0.title)", relation: "prev") },
      after.map { SiteDocument.Way($0.fileName, "\($0.title) ›", relation: "next") },
    ].compactMap(\.self)
    return SiteDocument(
      title: "\(place.title) · \(conversation)", description: description, path: place.path, ways: ways
    ).bytes(body, address: address)
  }

  private var description: String {
    let named = senders.prefix(Self.namedCount).joined(separator: ", ")
    let others = senders.count > Self.namedCount ? " and others" : ""
    let span = days.map { $0.first == $0.last ? $0.first : "\($0.first) to \($0.last)" } ?? ""
    let by = named.isEmpty ? "" : " by \(named)\(others)"
    return "\(SiteWriter.counted(count))\(by) in \(conversation), \(span)"
  }
}

/// Where a page stands: a month of a conversation, or a thread, and its part if there are several.
struct SitePagePlace: Codable {
  let conversation: Conversation.ID
  /// A month (`2024-05`) or `t` and the id of a thread.
  let stem: String
  let part: Int
  let first: Message.ID
  private let heading: String

  /// - Parameters:
  ///   - month: Months since the year 0.
  ///   - isNamed: Whether its heading has the month's name. Redaction may hide such a name: `May`.
  init(_ conversation: Conversation.ID, month: Int, isNamed: Bool, part: Int, first: Message.ID) {
    let year = Int(Int64(month).floorDivided(by: 12))
    let number = month - year * 12
    stem = String(CivilTime(year: year, month: number + 1, day: 1).dateText.dropLast(3))
    heading = isNamed ? "\(Self.months[number]) \(stem.dropLast(3))" : stem
    (self.conversation, self.part, self.first) = (conversation, part, first)
  }

  init(_ conversation: Conversation.ID, thread: Message.ID, part: Int, first: Message.ID, heading: String) {
    (stem, self.heading) = ("t\(thread)", heading)
    (self.conversation, self.part, self.first) = (conversation, part, first)
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]

  var isOfThread: Bool { stem.hasPrefix("t") }
  var title: String { part == 1 ? heading : "\(heading) (\(part))" }
  var fileName: String { part == 1 ? "\(stem).html" : "\(stem)-\(part).html" }
  /// Its path in the folder of pages.
  var path: String { "c\(conversation.rawValue)/\(fileName)" }
}

/// The frame of all pages without scripts. Its fields are plain text, which it escapes.
struct SiteDocument {
  struct Way {
    let address: String
    let label: String
    let relation: String?

    init(_ address: String, _ label: String, relation: String? = nil) {
      (self.address, self.label, self.relation) = (address, label, relation)
    }
  }

  let title: String
  let description: String
  /// Its path in the folder of pages.
  let path: String
  let ways: [Way]

  /// The rules of ``HTMLExport``, and those of the ways between pages.
  static let style = Array(
    (HTMLExport.style + """
      .way { position: static; width: auto; margin: 0; padding: .5rem 0; display: flex; flex-wrap: wrap; gap: .2rem 1rem; break-before: auto; }
      header a { color: inherit; text-decoration: none; }
      li { margin: .2rem 0; overflow-wrap: anywhere; }

      """).utf8)

  static let folder = "pages"

  func bytes(_ body: [UInt8], address: String?) -> [UInt8] {
    let (title, description) = (HTMLExport.escapedName(title), HTMLExport.escapedName(description))
    let style = path.contains("/") ? "../style.css" : "style.css"
    let canonical =
      address.map {
        "<link rel=\"canonical\" href=\"\(HTMLExport.escapedName("\($0)/\(Self.folder)/\(path)"))\">\n"
      } ?? ""
    let navigation = "<nav class=\"way\">\n\(ways.map(Self.link).joined())</nav>\n"
    let head = """
      \(HTMLExport.head(titled: title, allowing: "style-src 'self' file:; img-src 'self' file:"))
      <meta name="description" content="\(description)">
      \(canonical)<link rel="stylesheet" href="\(style)">
      </head>
      <body>
      \(navigation)
      """
    return Array(head.utf8) + body + Array("\(navigation)</body>\n</html>\n".utf8)
  }

  private static func link(_ way: Way) -> String {
    let relation = way.relation.map { " rel=\"\($0)\"" } ?? ""
    return
      "<a href=\"\(HTMLExport.escapedName(way.address))\"\(relation)><bdi>\(HTMLExport.escapedName(way.label))</bdi></a>\n"
  }
}

/// What pages say besides messages, for the check of redacted sites.
struct SitePageFrame: ExportFormat {
  mutating func write(_ record: ExportRecord, to bytes: inout [UInt8]) {
    let place = SitePagePlace(
      Conversation.ID(rawValue: 1), month: 24_000, isNamed: false, part: 1, first: record.id)
    var page = SitePage(place, of: record, zone: .gmt, hasThreads: true)
    page.add(record, on: "2024-05-01")
    bytes += page.document(before: place, after: place, address: nil)
  }
}
