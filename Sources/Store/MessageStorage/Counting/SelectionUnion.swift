internal import GRDB
internal import MessageModel

/// The messages of some conversations together with those of some senders wherever they wrote, as a person's window shows
/// them, perhaps under further conditions.
///
/// They are the senders' messages and, of each of the conversations, those of everybody else: parts of which no message has
/// two, so that ordinals and totals are sums of counts by facet.
struct SelectionUnion {
  /// The conversations of which every message belongs to it.
  let conversations: Set<Conversation.ID>
  /// The senders of whom every message belongs to it.
  let senders: Set<Sender.ID>
  /// The ids that are meant.
  private(set) var ids = FacetFilter.allIDs
  /// The conditions that must hold besides.
  private(set) var rest: [MessagePredicate] = []

  /// Whether counts by facet answer it.
  var isCounted: Bool { rest.isEmpty }

  /// The messages of conversations, within a range of ids.
  init(_ conversations: Set<Conversation.ID>, ids: ClosedRange<Message.ID>) {
    self.conversations = conversations
    self.senders = []
    self.ids = ids
  }

  /// All messages of another one, whatever must hold for them besides.
  init(counting other: SelectionUnion) {
    self = other
    rest = []
  }

  /// The same within a range of ids that lies in its own.
  init(_ other: SelectionUnion, within ids: ClosedRange<Message.ID>) {
    self = other
    self.ids = ids
  }

  /// Reads a predicate; `nil` if it asks for no such union, or if its ranges of ids exclude each other.
  init?(_ predicate: MessagePredicate) {
    var union: Parts?
    for part in predicate.conjuncts {
      if case .ids(let range) = part {
        guard ids.overlaps(range) else { return nil }
        ids = ids.clamped(to: range)
      } else if union == nil, let parts = Parts(part), part.isUnion {
        union = parts
      } else {
        rest.append(part)
      }
    }
    guard let union else { return nil }
    (conversations, senders) = (union.conversations, union.senders)
  }

  /// The parts that it is the sum of, among conversations.
  func ordinals(in places: Selection.Conversations, _ db: Database) throws -> [Ordinals] {
    let theirs = filter(.sender(senders))
    switch places {
    case .all:
      let others = filter(.not(.sender(senders)))
      let everywhere =
        senders.isEmpty
        ? [] : [Ordinals(db: db, scope: 0, filter: theirs, goesBySender: true)]
      return everywhere + conversations.sorted().map { Ordinals(db: db, scope: $0.rawValue, filter: others) }
    case .some(let ids):
      let all = filter(.everything)
      return ids.sorted().map {
        Ordinals(db: db, scope: $0.rawValue, filter: conversations.contains($0) ? all : theirs)
      }
    }
  }

  private func filter(_ predicate: MessagePredicate) -> FacetFilter {
    var filter = senders.isEmpty ? FacetFilter() : FacetFilter(predicate) ?? FacetFilter()
    filter.ids = ids
    return filter
  }

  /// Conversations and senders one of which is asked for.
  fileprivate struct Parts {
    var conversations: Set<Conversation.ID> = []
    var senders: Set<Sender.ID> = []

    /// Reads a predicate; `nil` if it asks for something else, too.
    init?(_ predicate: MessagePredicate) {
      switch predicate {
      case .conversation(let ids): conversations = ids
      case .sender(let ids): senders = ids
      case .or(let any):
        for part in any {
          guard let parts = Parts(part) else { return nil }
          conversations.formUnion(parts.conversations)
          senders.formUnion(parts.senders)
        }
      case .and(let all):
        guard all.count == 1, let parts = Parts(all[0]) else { return nil }
        self = parts
      case .everything, .kind, .ids, .written, .has, .file, .thread, .matching, .regex, .not: return nil
      }
    }
  }
}

extension Selection {
  /// The same messages, the conversations that the predicate asks for being those of the selection.
  var gathered: Selection {
    var gathered = self
    var rest: [MessagePredicate] = []
    let parts = predicate.conjuncts
    for part in parts {
      guard let asked = SelectionUnion.Parts(part), asked.senders.isEmpty, part.namesConversations else {
        rest.append(part)
        continue
      }
      if case .some(let present) = gathered.conversations {
        gathered.conversations = .some(present.intersection(asked.conversations))
      } else {
        gathered.conversations = .some(asked.conversations)
      }
    }
    // One without conversations stays as it is put: it may be known again as a saved filter.
    guard rest.count < parts.count else { return self }
    gathered.predicate = .all(of: rest)
    return gathered
  }

  /// Whether its ordinals and totals come from counts by facet.
  var isCounted: Bool {
    let predicate = gathered.predicate
    return FacetFilter(predicate) != nil || SelectionUnion(predicate)?.isCounted == true
  }
}

extension MessagePredicate {
  /// Whether it joins several conditions one of which must hold.
  fileprivate var isUnion: Bool {
    if case .or = self { true } else { false }
  }

  /// Whether it can be one by conversations: several senders are none.
  fileprivate var namesConversations: Bool {
    switch self {
    case .conversation, .or: true
    case .everything, .sender, .kind, .ids, .written, .has, .file, .thread, .matching, .regex, .not, .and:
      false
    }
  }
}
