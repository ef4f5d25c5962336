package import MessageModel

/// The numbers of a store in an archive. Numbers of its conversations and senders begin with the store's
/// number.
package struct ArchiveNumbers: Hashable, Sendable {
  package let store: Int64

  package init(store: Int64) { self.store = store }

  /// Stands for the whole store where a conversation is expected.
  package var whole: Int64 { store << 32 }

  package func number(of id: Conversation.ID) -> Int64 { whole | id.rawValue & 0xFFFF_FFFF }
  package func number(of id: Sender.ID) -> Int64 { whole | id.rawValue & 0xFFFF_FFFF }
  package func conversation(_ number: Int64) -> Conversation.ID {
    Conversation.ID(rawValue: number & 0xFFFF_FFFF)
  }
  package func sender(_ number: Int64) -> Sender.ID { Sender.ID(rawValue: number & 0xFFFF_FFFF) }
}

package enum ArchiveFeature {
  package static let attachment: Int64 = 1
  package static let link: Int64 = 2
  package static let edit: Int64 = 4
  package static let reaction: Int64 = 8
  package static let reply: Int64 = 16
  /// The time of writing differs from that of the message's place; it is in the details.
  package static let writtenAt: Int64 = 256
  package static let forward: Int64 = 512
}

/// The categories counted per block, as numbers.
package enum ArchiveFacet {
  /// A subquery with all facets of a message `m`, as rows.
  package static let ofMessage = """
    SELECT m.kind * 8::bigint + 2 UNION ALL SELECT m.sender * 8 + 1 WHERE m.sender IS NOT NULL
      UNION ALL SELECT f * 8::bigint + 3 FROM unnest('{1,2,4,16,256,512}'::bigint[]) AS f WHERE m.features & f <> 0
    """

  /// The features counted per block. The counts may include messages whose reactions were removed since.
  package static let countedFeatures: [Int64] = [
    ArchiveFeature.attachment, ArchiveFeature.link, ArchiveFeature.edit, ArchiveFeature.reply,
    ArchiveFeature.writtenAt, ArchiveFeature.forward,
  ]

  package static func sender(_ number: Int64) -> Int64 { number * 8 + 1 }
  static func kind(_ kind: Message.Kind) -> Int64 { Int64(kind.rawValue) * 8 + 2 }
  package static func feature(_ bit: Int64) -> Int64 { bit * 8 + 3 }
}
