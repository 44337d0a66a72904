// What JSDoc cannot say, and what the compiler's library lacks.

type Child = Node | string | number | null | undefined | false | Child[];

interface URLSearchParams {
  readonly size: number;
}

type OpenScreen = {
  element: HTMLElement;
  close?: () => void;
  /** A new query of the same screen. */
  update?: (query: URLSearchParams) => void;
};

type Page = {
  path: string;
  query: URLSearchParams;
  /** The last part of a path with an id. */
  id: string;
  go: (path: string, replace?: boolean) => void;
};

interface Window {
  trustedTypes?: {createPolicy(name: string, rules: {createScriptURL: (text: string) => string}): {createScriptURL(text: string): unknown}};
}
declare var trustedTypes: Window["trustedTypes"];
