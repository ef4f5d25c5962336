internal import Foundation

/// A UTF-8 locale for the calling thread, for C libraries that convert by locale.
struct UTF8Locale {
  private let entered: locale_t?
  private let previous: locale_t?

  /// Has no effect if the system has no UTF-8 locale.
  init() {
    entered = newlocale(Self.characters, "C.UTF-8", nil) ?? newlocale(Self.characters, "en_US.UTF-8", nil)
    previous = entered.flatMap { uselocale($0) }
  }

  func leave() {
    guard let entered else { return }
    uselocale(previous)
    freelocale(entered)
  }

  #if canImport(Glibc)
    private static let characters: Int32 = 1 << LC_CTYPE
  #else
    private static let characters: Int32 = LC_CTYPE_MASK
  #endif
}
