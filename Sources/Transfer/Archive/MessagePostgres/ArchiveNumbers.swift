package import MessageModel

/// The numbers of a store in an archive: those of its conversations and senders follow the number of the store.
package struct ArchiveNumbers: Hashable, Sendable {
  /// The number of the store.
  package let store: Int64

  package init(store: Int64) { self.store = store }

  /// The number that stands for the whole of the store.
  package var whole: Int64 { store << 32 }

  package func number(of id: Conversation.ID) -> Int64 { whole | id.rawValue & 0xFFFF_FFFF }
  package func number(of id: Sender.ID) -> Int64 { whole | id.rawValue & 0xFFFF_FFFF }
  package func conversation(_ number: Int64) -> Conversation.ID {
    Conversation.ID(rawValue: number & 0xFFFF_FFFF)
  }
  package func sender(_ number: Int64) -> Sender.ID { Sender.ID(rawValue: number & 0xFFFF_FFFF) }
}

/// The bits of `features`.
package enum ArchiveFeature {
  package static let attachment: Int64 = 1
  package static let link: Int64 = 2
  package static let edit: Int64 = 4
  package static let reaction: Int64 = 8
  package static let reply: Int64 = 16
  /// It has a time of its own, in its details.
  package static let writtenAt: Int64 = 256
}

/// The sorts of messages that are counted block by block, as numbers.
package enum ArchiveFacet {
  /// The expression of all facets of a message `m`, as rows.
  package static let ofMessage = """
    SELECT m.kind * 8::bigint + 2 UNION ALL SELECT m.sender * 8 + 1 WHERE m.sender IS NOT NULL
      UNION ALL SELECT f * 8::bigint + 3 FROM unnest('{1,2,4,16,256}'::bigint[]) AS f WHERE m.features & f <> 0
    """

  /// The bits of features that are counted: there may be no reaction any more where it was counted.
  package static let countedFeatures: [Int64] = [
    ArchiveFeature.attachment, ArchiveFeature.link, ArchiveFeature.edit, ArchiveFeature.reply,
    ArchiveFeature.writtenAt,
  ]

  package static func sender(_ number: Int64) -> Int64 { number * 8 + 1 }
  static func kind(_ kind: Message.Kind) -> Int64 { Int64(kind.rawValue) * 8 + 2 }
  package static func feature(_ bit: Int64) -> Int64 { bit * 8 + 3 }
}
