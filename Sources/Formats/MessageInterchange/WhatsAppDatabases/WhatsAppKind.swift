internal import Foundation

/// WhatsApp's numbers for kinds of messages on Android; iPhones have others.
enum WhatsAppKind {
  private static func word(_ type: Int64) -> String? {
    switch type {
    case 1: "picture"
    case 2: "sound"
    case 3: "film"
    case 9: "document"
    case 13: "moving picture"
    case 20: "sticker"
    case 42: "picture to be seen once"
    case 43: "film to be seen once"
    case 82: "sound to be heard once"
    default: nil
    }
  }

  static func isFile(_ type: Int64) -> Bool { word(type) != nil }

  /// Kinds without content: frames around picture messages, and some that the app never shows.
  static func isFrame(_ type: Int64) -> Bool { type == 99 || type == 116 }

  static func isDeleted(_ type: Int64) -> Bool { type == 15 || type == 64 }

  static func words(_ type: Int64) -> String? {
    switch type {
    case 8, 11, 90: "call"
    case 10: "missed call"
    case 24: "invitation to a group"
    case 36: "changed how long messages stay"
    case 66, 106: "poll"
    case 92: "event"
    case 112: "changed the privacy of the chat"
    default: word(type)
    }
  }

  static func fileName(_ name: String?, _ path: String?, _ type: Int64) -> String {
    if let name, !name.isEmpty { return name }
    return path?.split(separator: "/").last.map(String.init) ?? word(type) ?? "file"
  }

  static func place(_ names: [String?], _ latitude: Double, _ longitude: Double) -> String {
    let words = names.compactMap { $0 }.filter { !$0.isEmpty }
    return (words + ["\(latitude),\(longitude)"]).joined(separator: "\n")
  }

  static func call(isVideo: Bool, seconds: Int64) -> String {
    let sort = isVideo ? "video call" : "voice call"
    return seconds > 0 ? "\(sort), \(seconds) s" : "\(sort), not answered"
  }
}
