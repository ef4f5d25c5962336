internal import Foundation

package enum PathText {
  /// Expands a leading tilde.
  package static func expanded(_ path: String) -> String {
    path == "~" || path.hasPrefix("~/") ? NSHomeDirectory() + path.dropFirst() : path
  }
}
