import { ACCESS_TOKEN_PATTERN, UNKNOWN_ACCESS_TOKEN } from './lambda/shared/tokens/access-token.ts';

export const rules = [
  { id: '@secretlint/secretlint-rule-preset-recommend' },
  {
    id: '@secretlint/secretlint-rule-pattern',
    options: {
      patterns: [
        {
          name: 'access token of this service',
          patterns: [`/(?!${UNKNOWN_ACCESS_TOKEN})${ACCESS_TOKEN_PATTERN}/`],
        },
      ],
    },
  },
];
