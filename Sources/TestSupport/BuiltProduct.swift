package import Foundation

/// The programs of this package as the build that runs the tests made them.
package enum BuiltProduct {
  /// The folder in which they lie.
  package static var folder: URL {
    // On a Mac the tests are a bundle run by a helper; elsewhere they are a program beside the others.
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    let url = bundle.bundleURL
    return url.pathExtension == "xctest" ? url.deletingLastPathComponent() : url
  }

  /// The path of a program.
  package static func path(of name: String) -> String { folder.appendingPathComponent(name).path }
}
